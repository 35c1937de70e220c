// Builds the request for the sandbox from a recorded request.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { FetchInit } from '../../client/fetch-like.ts'
import { isSuccess } from '../../domain/http-response.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { signRequest } from '../../domain/signatures.ts'
import { encodingsOf } from '../../receiver-client/content-encoding.ts'
import type { IdMap } from './id-map.ts'
import { planOf, type RecordedObjects } from './object-states.ts'
import type { RecordedCall } from './recorded-call.ts'
import { type ReplayCredentials, recordedKey, UNKNOWN_KEY } from './replay-shops.ts'

/** Headers that the public API reads, except the credentials, the signatures and the plan. */
const SENT = ['content-type', 'content-encoding', 'accept', 'idempotency-key', 'x-psp-dry-run'] as const
const SIGNATURES = ['x-psp-signature', 'x-service-signature'] as const

export interface ReplayRequest {
  readonly path: string
  readonly init: FetchInit
}

export function replayRequest(
  call: RecordedCall,
  ids: IdMap,
  known: RecordedObjects,
  credentials: ReplayCredentials | undefined,
): ReplayRequest {
  const { method } = call
  const plain = ids.replace(call.body)
  const encodings = encodingsOf([...call.headers])
  const body = encodings.length === 0 ? padded(plain, call) : encoded(plain, encodings)
  const hasBody = body.length > 0 && method !== 'GET' && method !== 'HEAD'
  const headers: Record<string, string | undefined> = {
    ...Object.fromEntries(SENT.map((name) => [name, call.headers.get(name)])),
    authorization: authorizationOf(call, credentials),
    'x-psp-simulate': simulateOf(call, known),
    ...Object.fromEntries(SIGNATURES.map((name) => [name, signatureOf(call, name, hasBody ? body : '', credentials)])),
  }
  return {
    path: ids.replace(call.path),
    init: { method, headers: omitUndefined(headers) as Record<string, string>, ...(hasBody ? { body } : {}) },
  }
}

/** Encodes the body again, because a recording contains the decoded body. Unknown encodings are ignored. */
function encoded(body: string, encodings: readonly string[]): Uint8Array<ArrayBuffer> {
  return encodings.reduce((bytes, encoding) => ENCODERS[encoding]?.(bytes) ?? bytes, Buffer.from(body))
}

const ENCODERS: { readonly [encoding: string]: (bytes: Uint8Array) => Buffer<ArrayBuffer> } = {
  gzip: (bytes) => gzipSync(bytes),
  'x-gzip': (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
}

/** Pads JSON with spaces to the recorded length, because the service may have rejected the body for its length. */
function padded(body: string, { size, requestJson: sent }: RecordedCall): string {
  return sent === undefined ? body : body + ' '.repeat(Math.max(0, size - Buffer.byteLength(body)))
}

function authorizationOf(call: RecordedCall, credentials: ReplayCredentials | undefined): string | undefined {
  if (credentials === undefined || recordedKey(call) === undefined) return call.headers.get('authorization')
  const { status, code } = call.response ?? {}
  const isUnknown = status === 401 && code !== 'signature_required' && code !== 'invalid_signature'
  return `Bearer ${isUnknown ? UNKNOWN_KEY : credentials.apiKey}`
}

/** Signs again, because the recorded signature was made with a secret that the recording does not contain. */
function signatureOf(
  { headers, response }: RecordedCall,
  name: string,
  body: Uint8Array | string,
  credentials: ReplayCredentials | undefined,
): string | undefined {
  const recorded = headers.get(name)
  if (recorded === undefined || credentials === undefined || response?.code === 'invalid_signature') return recorded
  return signRequest(body, credentials.signingSecret)
}

function simulateOf(call: RecordedCall, known: RecordedObjects): string | undefined {
  const isCreation = call.method === 'POST' && !call.operation.endsWith('/cancel')
  const plan = isCreation ? planOf(call, known) : undefined
  // If the recorded service refused the request, it may have refused its plan, so the sandbox gets the same plan.
  return plan ?? (isSuccess(call.response?.status) ? undefined : call.headers.get('x-psp-simulate'))
}
