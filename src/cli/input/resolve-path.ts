// Resolves paths that users give, on all systems.
import type { Host } from '../host.ts'

type Place = Pick<Host, 'cwd' | 'paths'>

/** Returns the absolute path. A relative one starts at the working directory. */
export function resolvePath({ cwd, paths }: Place, name: string): string {
  return paths.resolve(cwd, name)
}

/** Returns the absolute path of the data directory. */
export function dataFolder(session: { readonly host: Place; readonly values: { readonly data: string } }): string {
  return resolvePath(session.host, session.values.data)
}

/** Returns a hint if Git Bash has converted a path that begins with `/` to a Windows path. */
export function shellHint(text: string): string | undefined {
  if (!/^[a-z]:\/.*\b(?:git|msys\d*|cygwin\d*)\//i.test(text)) return undefined
  return 'Git Bash converts a leading / to a Windows path. Write // instead, or set MSYS_NO_PATHCONV=1.'
}
