import { isLoopback } from '../../../domain/loopback.ts'
import type { Session } from '../../session.ts'
import { addressOf, dataOf, neighbourText, pspAt } from '../../target/other-server.ts'
import type { Neighbour } from '../../target/target-contract.ts'
import { type Found, fail, ok, warn } from './checks-contract.ts'
import { isForeign } from './health.ts'
import { serverUrl } from './server-url.ts'
import { tryListen } from './try-listen.ts'

export async function checkPort(session: Session): Promise<Found> {
  const { port, host } = session.values
  const code = await tryListen(port, host)
  if (code === undefined) return ok(`${host}:${port} is free`)
  if (code !== 'EADDRINUSE') return fail(`${host}:${port} cannot be used (${code})`, 'Choose another --host or --port.')
  const found = await pspAt(session, addressOf(host, port))
  if (found !== undefined) return takenByPsp(session, found)
  return warn(`${host}:${port} is in use by another program`, 'Start with --port 0, or another port.')
}

/** Accepts the psp that commands here use, and warns about another one. */
function takenByPsp(session: Session, found: Neighbour): Found {
  const { port, host } = session.values
  const process = found.pid === undefined ? '' : `, process ${found.pid}`
  const told = `${host}:${port} is in use by psp (${dataOf(found)}${process})`
  const used = new URL(serverUrl(session))
  const isUsed = used.port === String(port) && isLoopback(used.hostname)
  return isUsed && !isForeign(session, found) ? ok(told) : warn(told, neighbourText(found))
}
