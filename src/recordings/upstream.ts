// The connections to the target. Each client connection is paired with one connection to the target. If the target
// closes its connection, the client's connection is closed too. A client that opens a connection for each request also
// opens one for each at the target.
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { bareHost, familyOptions } from '../domain/loopback.ts'

/** Maximum size of the header fields of a message, in bytes. Node's default is 16 KiB. */
export const MAX_HEAD = 256 * 1024

export interface UpstreamTarget {
  readonly url: URL
  open(client: Socket, options: RequestOptions): ClientRequest
}

export function createTarget(base: string): UpstreamTarget {
  const url = new URL(base)
  const isTls = url.protocol === 'https:'
  const agents = new WeakMap<Socket, HttpAgent>()

  function agentOf(client: Socket): HttpAgent {
    const known = agents.get(client)
    if (known !== undefined) return known
    const agent = new (isTls ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1, noDelay: true })
    agents.set(client, agent)
    client.once('close', () => agent.destroy())
    return agent
  }

  const hostname = bareHost(url.hostname)
  const where = { hostname, port: url.port || (isTls ? 443 : 80), ...familyOptions(hostname) }
  return {
    url,
    open(client, options) {
      const request = (isTls ? httpsRequest : httpRequest)({
        ...where,
        ...options,
        agent: agentOf(client),
        setHost: false,
        maxHeaderSize: MAX_HEAD,
      })
      // By default, Node drops the header fields after the 1,000th.
      request.maxHeadersCount = 0
      return request
    },
  }
}

/** Returns the path at the target. A client that uses the proxy as a forward proxy sends a whole URL. */
export function pathAt({ pathname }: URL, requestTarget: string): string {
  const path = requestTarget.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  if (path === '*') return path
  const base = pathname.replace(/\/+$/, '')
  return `${base}${path.startsWith('/') ? '' : '/'}${path}`
}
