// The only function that a client needs: the global `fetch`, that of a sandbox, or the faster one over node:http.

export interface BodyPieces extends AsyncIterable<Uint8Array> {
  /** The total size in bytes, if known. Only for progress display. */
  readonly size?: number | undefined
}

export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** The body in pieces, instead of `body`. They are sent as they become available, without a Content-Length. */
  readonly pieces?: BodyPieces
  readonly signal?: AbortSignal
  readonly redirect?: 'manual'
}

export interface FetchResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** The chunks of the body, or null if there is none. */
  readonly body: AsyncIterable<Uint8Array> | null
  text(): Promise<string>
}

/** Resolves with any status. Rejects if there is no response, or if the signal is aborted. */
export type FetchLike = (url: string, init: FetchInit) => Promise<FetchResponse>
