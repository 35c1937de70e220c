// Another psp on this machine, asked who it is.
import { createClient } from '../../client/client.ts'
import { createNodeFetch } from '../../client/node-fetch.ts'
import type { Session } from '../session.ts'
import type { Neighbour } from './target-contract.ts'

/** ms for its answer; nobody there is known at once. */
const PATIENCE = 500

/** The psp that answers at the url; `undefined` where none does, in time. */
export async function pspAt({ values, host }: Session, url: string): Promise<Neighbour | undefined> {
  const { fetch, close } = createNodeFetch()
  const controller = new AbortController()
  const timer = host.wall.setTimeout(() => controller.abort(new Error('no answer')), PATIENCE)
  try {
    const client = createClient({ fetch, baseUrl: url, controlToken: values.control_token })
    const health = await client.control.health(controller.signal)
    const { status, version, pid, data } = health
    // A server that keeps the rest to holders of its token sends the status alone.
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

/** How a psp at the default address is used, which a command without --url does not use for its folder's sake. */
export function neighbourText(found: Neighbour): string {
  const { url, data } = found
  const whose =
    data === undefined ? 'Another psp' : `A psp with ${data === null ? dataOf(found) : `another data folder (${data})`}`
  return `${whose} answers at ${url}: --url ${url} (or PSP_URL) uses it.`
}

/** `data folder /x/.psp`, `everything in memory`. */
export function dataOf({ data }: Neighbour): string {
  if (data === undefined) return 'data folder not told'
  return data === null ? 'everything in memory' : `data folder ${data}`
}

/** Where a server of this host and port is reached. */
export function addressOf(host: string, port: number): string {
  const address = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? host
  return `http://${address.includes(':') && !address.startsWith('[') ? `[${address}]` : address}:${port}`
}
