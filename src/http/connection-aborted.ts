/** What had already been sent when the connection broke. */
export interface PartialResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The whole body; a door sends about half of it. */
  readonly body: string
}

/**
 * Thrown where the simulator breaks the connection. A door with a socket destroys it, after half of `partial` where
 * there is one; in process the fetch rejects with it, and it looks like any failed fetch.
 */
export class ConnectionAbortedError extends TypeError {
  readonly partial: PartialResponse | undefined
  constructor(why: string, partial?: PartialResponse) {
    super('fetch failed', { cause: Object.assign(new Error(why), { code: 'ECONNRESET' }) })
    this.partial = partial
  }
}
