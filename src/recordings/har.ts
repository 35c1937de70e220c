// HAR 1.2: the entries of a file, and their bodies as bytes.

export interface HarHeader {
  readonly name: string
  readonly value: string
}

export interface HarRequest {
  readonly method: string
  readonly url: string
  readonly httpVersion: string
  readonly headers: readonly HarHeader[]
  readonly queryString: readonly HarHeader[]
  readonly cookies: readonly HarHeader[]
  readonly headersSize: number
  readonly bodySize: number
  readonly postData?: HarPostData
}

export interface HarPostData {
  readonly mimeType: string
  readonly text: string
  /** `base64` if the body is not UTF-8. HAR 1.2 has no such field for requests, so its name begins with `_`. */
  readonly _encoding?: 'base64'
}

export interface HarContent {
  readonly size: number
  readonly mimeType: string
  readonly text?: string
  readonly encoding?: string
}

export interface HarResponse {
  /** 0 if there was no response. */
  readonly status: number
  readonly statusText: string
  readonly httpVersion: string
  readonly headers: readonly HarHeader[]
  readonly cookies: readonly HarHeader[]
  readonly content: HarContent
  readonly redirectURL: string
  readonly headersSize: number
  readonly bodySize: number
}

export interface HarEntry {
  /** RFC 3339 with milliseconds. */
  readonly startedDateTime: string
  /** In ms. */
  readonly time: number
  readonly request: HarRequest
  readonly response: HarResponse
  readonly cache: Record<never, never>
  /** In ms. Recordings of other tools may lack them. */
  readonly timings?: { readonly send: number; readonly wait: number; readonly receive: number }
  /** For a webhook, the signature check of the bytes that were received. HAR readers ignore names with `_`. */
  readonly _signature?: RecordedSignature
  /** The client closed the connection before the end of the response, for example of an event stream. */
  readonly _closed_by?: 'client'
  /** Why there was no complete response. */
  readonly comment?: string
}

export interface RecordedSignature {
  readonly result: 'valid' | 'invalid' | 'unchecked'
  /** A hash that shows whether a given secret is the one that made the signature valid. */
  readonly secret_check?: string | undefined
  /** Why the signature was invalid: a cause of `psp verify`. */
  readonly cause?: string | undefined
  readonly why?: string | undefined
  /** Whether the body in the entry is masked, so that the signature does not match it. */
  readonly is_masked: boolean
}

export function requestBytes({ postData }: HarRequest): Buffer | undefined {
  if (postData === undefined) return undefined
  return Buffer.from(postData.text, postData._encoding === 'base64' ? 'base64' : 'utf8')
}

export function responseBytes({ content }: HarResponse): Buffer | undefined {
  if (content.text === undefined) return undefined
  return Buffer.from(content.text, content.encoding === 'base64' ? 'base64' : 'utf8')
}
