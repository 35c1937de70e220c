// Chooses the server that a health check expects, and distinguishes it from another one at the same address.
import { existsSync } from 'node:fs'
import type { HealthView } from '../../../client/control-types.ts'
import { CliError } from '../../failure.ts'
import { dataFolder, resolvePath } from '../../input/resolve-path.ts'
import { findLockedDir } from '../../local/find-locked-dir.ts'
import { readReadyFile } from '../../local/ready-file.ts'
import type { Session } from '../../session.ts'
import { addressOf, dataOf, neighbourText } from '../../target/other-server.ts'
import { holderOf } from './lock-holder.ts'
import { serverUrl } from './server-url.ts'

export interface Sought {
  /** Its name in the error. */
  readonly name: string
  /** The URL, or an error if it is not known yet. */
  readonly url: string | CliError
  /** Judges the server that responds: `undefined` if it is right, a note, or the error if it is another one. */
  judge(found: Pick<HealthView, 'pid' | 'data'>): undefined | string | CliError
}

export async function soughtServer(session: Session): Promise<Sought> {
  const { values, config } = session
  if (values.ready_file !== undefined) return ofReadyFile(session, values.ready_file)
  if (values.url !== undefined) return at(serverUrl(session))
  if (values.ephemeral) return atDefaultAddress(session)
  const holder = await holderOf(session)
  if ((holder.kind === 'alive' || holder.kind === 'foreign') && holder.url !== undefined) return at(holder.url)
  const above = findLockedDir(session)
  if (above !== undefined) return at(above.url)
  if (holder.kind === 'alive' || config.origins.data !== 'default') return ofFolder(session)
  return atDefaultAddress(session)
}

function at(url: string): Sought {
  return { name: url, url, judge: () => undefined }
}

function ofReadyFile({ host }: Session, file: string): Sought {
  const told = readReadyFile(resolvePath(host, file))
  const missing = `${file} does not contain the URL of its server yet.`
  return {
    name: `The server of ${file}`,
    url: told?.url ?? notReady(missing, `Start it with \`psp serve --ready-file ${file}\`.`),
    judge: ({ pid }) =>
      pid === undefined || pid === told?.pid
        ? undefined
        : notReady(`${file} is from process ${told?.pid}, but process ${pid} responds.`, 'Start the server again.'),
  }
}

function ofFolder({ values: { data } }: Session): Sought {
  const why = notReady(
    `No server holds the data directory ${data}.`,
    `Start one with \`psp serve --data ${data}\`. To find a server that is in memory only, use --ready-file or --url.`,
  )
  return { name: `The server of ${data}`, url: why, judge: () => undefined }
}

/** Expects the server at the default address, although another user may own it. */
function atDefaultAddress(session: Session): Sought {
  const { values, config } = session
  const url = addressOf(values.host, values.port)
  const isNamed = config.origins.port !== 'default' || config.origins.host !== 'default'
  const folder = dataFolder(session)
  return {
    name: url,
    url,
    judge({ data, pid }) {
      if (data === undefined || (values.ephemeral ? data === null : data === folder)) return undefined
      const found = { url, data, ...(pid === undefined ? {} : { pid }) }
      if (!isNamed && (data !== null || existsSync(folder))) {
        return notReady(`${url} is not the server of ${values.data}.`, neighbourText(found))
      }
      return `The psp at ${url} has ${dataOf(found)}. If it is not yours, select one with --ready-file, --data or --url.`
    },
  }
}

function notReady(message: string, hint: string): CliError {
  return new CliError('unreachable', message, hint)
}
