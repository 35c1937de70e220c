// Finds another psp server on this machine.
import { createClient } from '../../client/client.ts'
import { createNodeFetch } from '../../client/node-fetch.ts'
import type { Session } from '../session.ts'
import type { Neighbour } from './target-contract.ts'

/** ms to wait for a response. A closed port is detected at once. */
const HEALTH_TIMEOUT = 500

/** Returns the psp server at the url; `undefined` if none responds in time. */
export async function pspAt({ values, host }: Session, url: string): Promise<Neighbour | undefined> {
  const { fetch, close } = createNodeFetch()
  const controller = new AbortController()
  const timer = host.systemClock.setTimeout(() => controller.abort(new Error('no response')), HEALTH_TIMEOUT)
  try {
    const client = createClient({ fetch, baseUrl: url, controlToken: values.control_token })
    const health = await client.control.health(controller.signal)
    const { status, version, pid, data } = health
    // A server with a control token returns only the status without that token.
    const isPsp = typeof version === 'string' || Object.keys(health).length === 1
    if (!(status === 'ok' || status === 'failing') || !isPsp) return undefined
    return { url, ...(pid === undefined ? {} : { pid }), ...(data === undefined ? {} : { data }) }
  } catch {
    return undefined
  } finally {
    timer.cancel()
    close()
  }
}

/** Says how to use the psp at the default address, which a command without --url ignores because of its data directory. */
export function neighbourText(found: Neighbour): string {
  const { url, data } = found
  const whose =
    data === undefined
      ? 'Another psp'
      : `A psp with ${data === null ? dataOf(found) : `another data directory (${data})`}`
  return `${whose} runs at ${url}. To use it, add --url ${url} or set PSP_URL.`
}

/** `data directory /x/.psp`, `everything in memory`. */
export function dataOf({ data }: Neighbour): string {
  if (data === undefined) return 'data directory unknown'
  return data === null ? 'everything in memory' : `data directory ${data}`
}

/** Returns the URL of a server with this host and port. */
export function addressOf(host: string, port: number): string {
  const address = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? host
  return `http://${address.includes(':') && !address.startsWith('[') ? `[${address}]` : address}:${port}`
}
