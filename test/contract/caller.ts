// Calls through a door the way a shop's program would.
import { expect } from 'vitest'
import { expectDocumentedCode } from './documented-codes.ts'
import type { Door, DoorShop } from './door.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any field
  readonly body: any
}

export interface CallOptions {
  /** An object is sent as JSON; text and bytes go as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** `null`: no Authorization. Default: the door's own key. */
  readonly key?: string | null
}

/** Every refusal is held against the documents, {@link expectDocumentedCode}. */
export async function call(door: Door, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const { body, headers = {}, key = door.shop.api_key } = options
  const response = await door.fetch(path, {
    method,
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw(body) }),
  })
  const text = await response.text()
  const read = parsed(text)
  expectDocumentedCode(method, path, read)
  return { status: response.status, headers: response.headers, text, body: read }
}

export const get = (door: Door, path: string, options?: CallOptions) => call(door, 'GET', path, options)
export const post = (door: Door, path: string, body?: unknown, options?: CallOptions) =>
  call(door, 'POST', path, { body, ...options })

export const PAYMENTS = '/v1/public/payments'
export const PAYOUTS = '/v1/public/payouts'

/** A bank of the directory. */
export const BANK = '100000000111'

export const createPayment = (door: Door, body: object = {}, options?: CallOptions) =>
  post(door, PAYMENTS, { amount: 150_000, ...body }, options)

export const createPayout = (door: Door, body: object = {}, options?: CallOptions) =>
  post(door, PAYOUTS, { amount: 100, phone: '+79991234567', bank_id: BANK, ...body }, options)

/** A payment that succeeded, its id. */
export async function succeeded(door: Door, body: object = {}, shop: DoorShop = door.shop): Promise<string> {
  const { body: made } = await createPayment(door, { method: 'sbp', ...body }, { key: shop.api_key })
  await door.arrange.advance(10_000)
  return made.payment.id
}

/** What the request log holds of the last request, where the door keeps one. */
export async function expectLogged(door: Door, what: object): Promise<void> {
  if (door.lasts) expect(await door.arrange.logged()).toMatchObject(what)
}

export const expectWarning = (door: Door, words: string) =>
  expectLogged(door, { warnings: expect.arrayContaining([expect.stringContaining(words)]) })

/** What an answer comes to: its status and the code of a refusal. */
export const said = ({ status, body }: Reply) => [status, body?.error?.code]

/** The header that plans an operation. */
export const planned = (plan: string) => ({ 'X-PSP-Simulate': plan })

export const refund = (door: Door, id: string, body: object = {}, headers: Record<string, string> = {}) =>
  post(door, `${PAYMENTS}/${id}/refund`, body, { headers })

export const refundedEvents = (
  door: Door,
  id: string,
): Promise<{ data: { refunds: { id: string; status: string }[] } }[]> => eventsOf(door, id, '&event=payment.refunded')

/** Ends a refund or a payout by an explicit act. */
export const settle = (door: Door, kind: 'refunds' | 'payouts', id: string, body: object) =>
  post(door, `/_psp/${kind}/${id}/act`, { action: 'settle', ...body }, { key: null })

/** Events of an object, oldest first. */
export const eventsOf = async (door: Door, objectId: string, filter = '') =>
  (await get(door, `/_psp/events?object_id=${objectId}${filter}`, { key: null })).body.items.toReversed()

function raw(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
