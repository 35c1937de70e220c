// A request as a guard sees it, without an app around it.
import type { Exchange } from '../../../src/http/app-env.ts'

interface Call {
  readonly headers?: Readonly<Record<string, string>>
  /** The address of the socket. Absent: the caller is in this process. */
  readonly socket?: string | null
  /** Names and values in turn, as the socket received them. Default: each header once. */
  readonly rawHeaders?: readonly string[]
  /** The address that an adapter without a socket passes. */
  readonly address?: string
}

export function exchange({ headers = {}, socket, rawHeaders, address }: Call): Exchange {
  const incoming =
    socket === undefined
      ? undefined
      : {
          headers,
          rawHeaders: rawHeaders ?? Object.entries(headers).flat(),
          socket: { remoteAddress: socket ?? undefined },
        }
  const env = { ...(incoming && { incoming }), ...(address !== undefined && { address }) }
  return { env, req: { raw: { headers: new Headers(headers) } } } as unknown as Exchange
}
