// If both `--data` and a URL are given, the URL wins and the command names the data directory of that server.
import { realpathSync } from 'node:fs'
import { usage } from '../failure.ts'
import { dataFolder } from '../input/resolve-path.ts'
import type { Session } from '../session.ts'
import { pspAt } from './other-server.ts'

/** Refuses a command that would replace the state of one of two sandboxes that the user names. @throws CliError */
export async function requireOneSandbox(session: Session): Promise<void> {
  const { config, values } = session
  const { data, url: source } = config.origins
  if (values.url === undefined || !data.startsWith('--') || (await serverData(session, values.url)).isMeant) return
  throw usage(
    `${data} ${values.data} and ${source} (${values.url}) select different sandboxes, and this command replaces the state of one.`,
    `Omit one of them. ${!source.startsWith('PSP_') ? '' : `\`env -u ${source} psp …\` runs without the variable.`}`.trimEnd(),
  )
}

/** Reports a data directory that is ignored, unless the URL is from a source with a higher rank or the server uses it. */
export async function reportUnusedData(session: Session, url: string): Promise<void> {
  const { config, values, out } = session
  const { data, url: source } = config.origins
  if (originRank(data) < originRank(source)) return
  const { used, isMeant } = await serverData(session, url)
  if (isMeant) return
  const its =
    used === undefined ? '' : used === null ? ' It keeps everything in memory.' : ` Its data directory is ${used}.`
  out.aside(
    out.notePaint.dim(`${data} ${values.data} is ignored because ${source} selects the server at ${url}.${its}`),
  )
}

/** Returns the data directory of the server, and whether it is the one of the session. */
async function serverData(session: Session, url: string) {
  const used = (await pspAt(session, url))?.data
  return { used, isMeant: typeof used === 'string' && realPath(used) === realPath(dataFolder(session)) }
}

/** Ranks a flag above a variable, a variable above the configuration file, and the file above the default. */
function originRank(origin: string): number {
  if (origin === 'default') return -1
  return origin.startsWith('--') ? 2 : origin.startsWith('PSP_') ? 1 : 0
}

/** Returns the path with links resolved, if it exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
