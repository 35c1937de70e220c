// Sends one request with credentials and a signature, and returns a value or throws a typed error.

import { isHeaderValue } from '../domain/header-text.ts'
import { isSuccess } from '../domain/http-response.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { requireAddress } from '../domain/typed-address.ts'
import { ApiError, ConnectionError, UnexpectedResponseError, UnsendableHeaderError } from './errors.ts'
import type { BodyPieces, FetchInit, FetchLike, FetchResponse } from './fetch-like.ts'

/** The server, and the credentials for it. */
export interface ClientOptions {
  /** The global `fetch`, or the `fetch` of a sandbox in this process. */
  readonly fetch: FetchLike
  /**
   * The address of the server, such as `http://127.0.0.1:7770`. For a server on this machine, the scheme may be
   * omitted: `localhost:7770`, `7770`. A trailing slash or `/v1/public` is removed.
   */
  readonly baseUrl: string
  /** The key of the public API, `sk_test_…`. */
  readonly apiKey?: string | undefined
  /** The signing secret, `thm_…`. If given, every public request is signed. */
  readonly signingSecret?: string | undefined
  /** The token of a server that was started with `--control-token`. */
  readonly controlToken?: string | undefined
}

/** Returns the signature of a public request: `sha256=` and the HMAC of the body in hex. */
export type RequestSigner = (body: Uint8Array<ArrayBuffer> | string, secret: string) => string | Promise<string>

export type Query = { readonly [name: string]: string | number | boolean | undefined }

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  /** The whole path, with its leading slash. */
  readonly path: string
  readonly query?: Query | undefined
  /** The body to send as JSON. Default: no body. */
  readonly body?: unknown
  /** The body to send unchanged, instead of `body`. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer> | undefined
  /** The body in pieces, instead of `body`. */
  readonly pieces?: BodyPieces | undefined
  /** Header names are case-insensitive. `undefined` is ignored; `null` removes a default header. */
  readonly headers?: { readonly [name: string]: string | undefined | null }
  readonly signal?: AbortSignal | undefined
  /** The required fields of a 2xx response. A response without them is not from a psp server. */
  readonly responseShape?: ResponseShape | undefined
  /** Another status whose response is returned too, if it has the required fields. */
  readonly otherStatus?: number
}

export type ResponseShape = { readonly [field: string]: 'list' | 'object' | 'string' }

/** The response of every list. */
export const LIST = { items: 'list' } as const satisfies ResponseShape

export interface HttpClient {
  /**
   * Returns the JSON object of a 2xx response, or null if a DELETE returns none.
   * @throws ApiError, UnexpectedResponseError, ConnectionError, UnsendableHeaderError, the reason of an aborted
   * `signal`
   */
  json<T>(call: HttpRequest): Promise<T>
  /**
   * Returns the response unchanged, with any status.
   * @throws ConnectionError, UnsendableHeaderError, the reason of an aborted `signal`
   */
  open(call: HttpRequest): Promise<FetchResponse>
}

/** `side` chooses the credentials: the API key and signature, or the control token. */
export function createHttpClient(options: ClientOptions, side: 'public' | 'control', sign: RequestSigner): HttpClient {
  const base = requireAddress(options.baseUrl, 'server', 'baseUrl')

  async function open(call: HttpRequest): Promise<FetchResponse> {
    // Without its slash a path could change the host: `.example.com`, `@example.com`.
    const path = call.path.startsWith('/') ? call.path : `/${call.path}`
    const url = `${base}${path}${queryText(call.query)}`
    const init = side === 'public' ? await publicInit(call, options, sign) : controlInit(call, options)
    requireSendable(init.headers)
    try {
      return await options.fetch(url, init)
    } catch (error) {
      if (call.signal?.aborted === true) throw call.signal.reason
      throw new ConnectionError(url, error, init)
    }
  }

  async function json<T>(call: HttpRequest): Promise<T> {
    const response = await open(call)
    const url = `${base}${call.path}`
    const text = await textOf(response, url, call)
    const isOk = isSuccess(response.status)
    if (isOk && text === '' && call.method === 'DELETE') return null as T
    const value = parse(text)
    if (value === undefined)
      throw new UnexpectedResponseError(response.status, url, response.headers.get('content-type'))
    if (call.otherStatus === response.status && hasShape(value, call.responseShape)) return value as T
    if (!isOk) throw errorOf(response, value, url)
    if (!hasShape(value, call.responseShape)) throw new UnexpectedResponseError(response.status, url, 'JSON')
    return value as T
  }

  return { json, open }
}

/** Returns the typed error of a response that is not 2xx, after reading its body. */
export async function readError(response: FetchResponse, url: string): Promise<ApiError | UnexpectedResponseError> {
  return errorOf(response, parse(await response.text()), url)
}

function errorOf(response: FetchResponse, value: unknown, url: string): ApiError | UnexpectedResponseError {
  const error = (value as { error?: { code?: unknown; message?: unknown } } | undefined | null)?.error
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') {
    const type = response.headers.get('content-type')
    return new UnexpectedResponseError(
      response.status,
      url,
      value !== undefined && /\bjson\b/.test(type ?? '') ? 'JSON' : type,
    )
  }
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(response.status, error.code, error.message, Number.isFinite(after) ? after : undefined)
}

async function publicInit(
  call: HttpRequest,
  { apiKey, signingSecret }: ClientOptions,
  sign: RequestSigner,
): Promise<FetchInit> {
  const body = bodyOf(call)
  return initOf(call, body, {
    Authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`,
    'X-PSP-Signature': signingSecret === undefined ? undefined : await sign(body ?? '', signingSecret),
  })
}

function controlInit(call: HttpRequest, { controlToken }: ClientOptions): FetchInit {
  return initOf(call, bodyOf(call), {
    Authorization: controlToken === undefined ? undefined : `Bearer ${controlToken}`,
  })
}

/** Checks the headers, because the error of a `fetch` that rejects one looks like an unreachable server. */
function requireSendable(headers: FetchInit['headers']): void {
  for (const [name, value] of Object.entries(headers)) if (!isHeaderValue(value)) throw new UnsendableHeaderError(name)
}

function bodyOf({ body, rawBody }: HttpRequest): FetchInit['body'] {
  return rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
}

function initOf(call: HttpRequest, body: FetchInit['body'], credentials: HttpRequest['headers']): FetchInit {
  const { pieces } = call
  const hasBody = body !== undefined || pieces !== undefined
  const defaults = { Accept: 'application/json', 'Content-Type': hasBody ? 'application/json' : undefined }
  return {
    method: call.method,
    headers: mergeHeaders({ ...defaults, ...credentials }, call.headers ?? {}),
    redirect: 'manual',
    ...omitUndefined({ body, pieces, signal: call.signal }),
  }
}

function mergeHeaders(...sets: readonly NonNullable<HttpRequest['headers']>[]): FetchInit['headers'] {
  const headers: FetchInit['headers'] = {}
  for (const [name, value] of sets.flatMap(Object.entries)) {
    if (value === undefined) continue
    for (const known of Object.keys(headers)) if (known.toLowerCase() === name.toLowerCase()) delete headers[known]
    if (value !== null) headers[name] = value
  }
  return headers
}

async function textOf(response: FetchResponse, url: string, { method, headers }: HttpRequest): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw new ConnectionError(url, error, { method, headers: mergeHeaders(headers ?? {}) })
  }
}

function hasShape(value: unknown, shape: ResponseShape = {}): boolean {
  if (kindOf(value) !== 'object') return false
  return Object.entries(shape).every(([field, kind]) => kindOf((value as Record<string, unknown>)[field]) === kind)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function queryText(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`
}

/**
 * Returns the export of the whole state, in pieces as they are received.
 * @throws the same errors as {@link HttpClient.json}
 */
export async function openExport(control: HttpClient): Promise<AsyncIterable<Uint8Array>> {
  const response = await control.open({ method: 'GET', path: '/_psp/export' })
  if (response.status !== 200 || response.body === null) throw await readError(response, '/_psp/export')
  return response.body
}
