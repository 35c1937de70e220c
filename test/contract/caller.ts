// Calls through an adapter, as the program of a shop does.
import { expect } from 'vitest'
import type { Adapter, AdapterShop } from './adapter.ts'
import { expectDocumentedCode } from './documented-codes.ts'

export interface CallResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any field
  readonly body: any
}

export interface CallOptions {
  /** An object is sent as JSON. Text and bytes are sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** `null`: no Authorization. Default: the key of the adapter's shop. */
  readonly key?: string | null
}

/** Sends a call and checks that an error code is documented, see {@link expectDocumentedCode}. */
export async function call(
  adapter: Adapter,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<CallResponse> {
  const { body, headers = {}, key = adapter.shop.api_key } = options
  const response = await adapter.fetch(path, {
    method,
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: toBytes(body) }),
  })
  const text = await response.text()
  const read = parseJson(text)
  expectDocumentedCode(method, path, read)
  return { status: response.status, headers: response.headers, text, body: read }
}

export const get = (adapter: Adapter, path: string, options?: CallOptions) => call(adapter, 'GET', path, options)
export const post = (adapter: Adapter, path: string, body?: unknown, options?: CallOptions) =>
  call(adapter, 'POST', path, { body, ...options })

export const PAYMENTS = '/v1/public/payments'
export const PAYOUTS = '/v1/public/payouts'

/** A bank of the directory. */
export const BANK = '100000000111'

export const createPayment = (adapter: Adapter, body: object = {}, options?: CallOptions) =>
  post(adapter, PAYMENTS, { amount: 150_000, ...body }, options)

export const createPayout = (adapter: Adapter, body: object = {}, options?: CallOptions) =>
  post(adapter, PAYOUTS, { amount: 100, phone: '+79991234567', bank_id: BANK, ...body }, options)

/** Creates a payment that succeeds, and returns its id. */
export async function succeeded(
  adapter: Adapter,
  body: object = {},
  shop: AdapterShop = adapter.shop,
): Promise<string> {
  const { body: made } = await createPayment(adapter, { method: 'sbp', ...body }, { key: shop.api_key })
  await adapter.arrange.advance(10_000)
  return made.payment.id
}

/** Checks the last entry of the request log, if the adapter has one. */
export async function expectLogged(adapter: Adapter, what: object): Promise<void> {
  if (adapter.keepsProcessState) expect(await adapter.arrange.logged()).toMatchObject(what)
}

export const expectWarning = (adapter: Adapter, words: string) =>
  expectLogged(adapter, { warnings: expect.arrayContaining([expect.stringContaining(words)]) })

/** Returns the status of a response and its error code. */
export const statusAndCode = ({ status, body }: CallResponse) => [status, body?.error?.code]

/** Returns the header that sets the plan of an operation. */
export const planned = (plan: string) => ({ 'X-PSP-Simulate': plan })

export const refund = (adapter: Adapter, id: string, body: object = {}, headers: Record<string, string> = {}) =>
  post(adapter, `${PAYMENTS}/${id}/refund`, body, { headers })

export const refundedEvents = (
  adapter: Adapter,
  id: string,
): Promise<{ data: { refunds: { id: string; status: string }[] } }[]> =>
  eventsOf(adapter, id, '&event=payment.refunded')

/** Ends a refund or a payout by an explicit action. */
export const settle = (adapter: Adapter, kind: 'refunds' | 'payouts', id: string, body: object) =>
  post(adapter, `/_psp/${kind}/${id}/act`, { action: 'settle', ...body }, { key: null })

/** Returns the events of an object, oldest first. */
export const eventsOf = async (adapter: Adapter, objectId: string, filter = '') =>
  (await get(adapter, `/_psp/events?object_id=${objectId}${filter}`, { key: null })).body.items.toReversed()

function toBytes(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
