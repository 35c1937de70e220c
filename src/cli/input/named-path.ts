// Files and folders that people name, on Windows as elsewhere.
import type { Host } from '../host.ts'

type Place = Pick<Host, 'cwd' | 'paths'>

/** The whole path of a name: from the working folder, where it is not whole itself. */
export function namedPath({ cwd, paths }: Place, name: string): string {
  return paths.resolve(cwd, name)
}

/** The data folder's whole path. */
export function dataFolder(session: { readonly host: Place; readonly values: { readonly data: string } }): string {
  return namedPath(session.host, session.values.data)
}

/** How to go on where a shell has made a path of the disk from one that begins with `/`; `undefined` where it has not. */
export function shellHint(text: string): string | undefined {
  if (!/^[a-z]:\/.*\b(?:git|msys\d*|cygwin\d*)\//i.test(text)) return undefined
  return 'Git Bash takes a leading / for its own folder: write // instead, or set MSYS_NO_PATHCONV=1.'
}
