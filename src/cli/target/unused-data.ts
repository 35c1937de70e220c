// `--data` next to a url: the url decides, so the command says which data folder that server has.
import { realpathSync } from 'node:fs'
import { dataFolder } from '../input/named-path.ts'
import type { Session } from '../session.ts'
import { pspAt } from './other-server.ts'

/** Reports a data folder that was named at least as clearly as the url and is another one than its server's. */
export async function reportUnusedData(session: Session, url: string): Promise<void> {
  const { config, values, out } = session
  const { data, url: source } = config.origins
  if (clearness(data) < clearness(source)) return
  const used = (await pspAt(session, url))?.data
  if (typeof used === 'string' && wholePath(used) === wholePath(dataFolder(session))) return
  const its =
    used === undefined ? '' : used === null ? ' It keeps everything in memory.' : ` Its data folder is ${used}.`
  out.aside(out.notePaint.dim(`${data} ${values.data} is not used: ${source} names the server at ${url}.${its}`))
}

/** A flag is clearer than a variable, a variable than the configuration file, and that than the default. */
function clearness(origin: string): number {
  if (origin === 'default') return -1
  return origin.startsWith('--') ? 2 : origin.startsWith('PSP_') ? 1 : 0
}

/** The path without links, if it exists here. */
function wholePath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
