/** A response that is sent in part before the connection is closed. */
export interface PartialResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The whole body. The adapter sends about half of it. */
  readonly body: string
}

/**
 * Thrown when the simulator breaks the connection. An adapter with a socket first sends half of `partial`, if it is
 * present, and destroys the socket. In process, `fetch` rejects with this error, like any failed fetch.
 */
export class ConnectionAbortedError extends TypeError {
  readonly partial: PartialResponse | undefined
  constructor(reason: string, partial?: PartialResponse) {
    super('fetch failed', { cause: Object.assign(new Error(reason), { code: 'ECONNRESET' }) })
    this.partial = partial
  }
}
