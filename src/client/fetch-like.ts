// The only thing a client needs of the world: one function. The global `fetch` has this shape, and so has a sandbox in the
// same process; short commands use node:http, which starts faster.

export interface BodyPieces extends AsyncIterable<Uint8Array> {
  /** Bytes, if known: for people. */
  readonly size?: number | undefined
}

export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Sends the body in these pieces, as they come. Without `body` its length is not known before. */
  readonly pieces?: BodyPieces
  readonly signal?: AbortSignal
  readonly redirect?: 'manual'
}

export interface FetchResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** Chunks as they come; null where there is no body. */
  readonly body: AsyncIterable<Uint8Array> | null
  text(): Promise<string>
}

/** Rejects only when no answer came; any status resolves. */
export type FetchLike = (url: string, init: FetchInit) => Promise<FetchResponse>
