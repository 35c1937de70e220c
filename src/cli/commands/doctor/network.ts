// Checks the connection to 127.0.0.1: proxies in the environment, and the loopback interface.
import type { Session } from '../../session.ts'
import { type Found, fail, ok, warn } from './checks-contract.ts'
import { tryListen } from './try-listen.ts'

const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']

export function checkProxies({ host }: Session): Found {
  const set = PROXIES.filter((name) => (host.env[name] ?? '') !== '')
  if (set.length === 0) return ok('none')
  const exempt = (host.env['NO_PROXY'] ?? host.env['no_proxy'] ?? '').split(',').map((entry) => entry.trim())
  if (exempt.some((entry) => ['*', 'localhost', '127.0.0.1'].includes(entry)))
    return ok(`${set.join(', ')}, not for loopback`)
  return warn(
    `${set.join(', ')} set: other programs may send requests for 127.0.0.1 through the proxy (psp does not)`,
    'Set NO_PROXY=localhost,127.0.0.1,::1.',
  )
}

/** @param listen returns an error code if no server can listen at the address */
export async function checkLoopback(_: unknown, listen = tryListen): Promise<Found> {
  const four = await listen(0, '127.0.0.1')
  const six = await listen(0, '::1')
  if (four !== undefined) return fail(`127.0.0.1 cannot be used (${four})`, 'Bring the loopback interface up.')
  if (six === undefined) return ok('127.0.0.1 and ::1')
  return warn(
    `127.0.0.1 only, no ::1 (${six})`,
    'If a program resolves localhost to ::1 first, use 127.0.0.1 in its URL.',
  )
}
