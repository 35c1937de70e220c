// Brings payments and payouts of the sandbox into the states that the recording shows, as the buyer and the bank did.
import type { Client } from '../../client/client.ts'
import { ApiError } from '../../client/errors.ts'
import { parsedUrl } from '../../domain/http-url.ts'
import { asObject, asText, type JsonObject } from '../../domain/json-values.ts'
import { isReservedKey } from '../../domain/metadata.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import type { IdMap } from './id-map.ts'
import { type RecordedObject, type RecordedObjects, refundPlan, supportedCode } from './object-states.ts'
import type { ObservedState } from './recorded-call.ts'

type PaymentAction = Parameters<Client['control']['act']['payment']>[1]

export class ObjectDriver {
  readonly #client: Client
  readonly #ids: IdMap
  readonly #recorded: RecordedObjects
  /** The state to which each object was last brought. */
  readonly #reached = new Map<string, string>()

  /** @param client without an API key */
  constructor(client: Client, ids: IdMap, known: RecordedObjects) {
    this.#client = client
    this.#ids = ids
    this.#recorded = known
  }

  /**
   * Acts as the buyer and the bank until the object has the state. Does nothing if the sandbox has no such object.
   * @param shopClient a client with a key of the object's shop
   */
  async bringToState(state: ObservedState, shopClient: Client | undefined): Promise<void> {
    const id = this.#ids.get(state.id)
    const summary = JSON.stringify([state.status, state.object?.['method'], state.object?.['refunds']])
    if (id === undefined || this.#reached.get(state.id) === summary) return
    this.#reached.set(state.id, summary)
    const known = this.#recorded.get(state.id)
    if (state.type === 'payout') await this.#settlePayout(id, state, known)
    else await this.#movePayment(id, state, known, shopClient)
  }

  /** Creates an object that existed before the recording. Returns false if the sandbox rejects the request. */
  async create(id: string, type: RecordedObject['type'], shopClient: Client): Promise<boolean> {
    const known = this.#recorded.get(id)
    try {
      const made = type === 'payout' ? await createPayout(shopClient, known) : await createPayment(shopClient, known)
      this.#ids.learn({ ...known?.first?.object, id }, { ...made })
      const refunds = [...(known?.earlierRefunds?.values() ?? [])]
      if (refunds.length > 0)
        await this.bringToState({ id, type, status: 'succeeded', object: { refunds } }, shopClient)
      return true
    } catch (error) {
      if (error instanceof ApiError) return false
      throw error
    }
  }

  async #settlePayout(id: string, { status }: ObservedState, known: RecordedObject | undefined): Promise<void> {
    if (status !== 'succeeded' && status !== 'failed') return
    const failure_code = status === 'failed' ? supportedCode(known?.failureCode) : undefined
    await ignoreRefusal(() => this.#client.control.act.payout(id, { action: 'settle', status, failure_code }))
  }

  async #movePayment(
    id: string,
    state: ObservedState,
    known: RecordedObject | undefined,
    shopClient: Client | undefined,
  ): Promise<void> {
    const act = (action: PaymentAction) => ignoreRefusal(() => this.#client.control.act.payment(id, action))
    const shown = asText(state.object?.['method'])
    const method = (shown === undefined || state.status !== 'pending' ? known?.method : shown) as
      | PaymentMethod
      | undefined
    if (method !== undefined && method !== ('any' as string)) await act({ action: 'choose_method', method })
    const code = known?.failureCode
    switch (state.status) {
      case 'processing':
        await act({ action: 'open_session' })
        break
      case 'succeeded':
      case 'refunded':
        await act({ action: 'pay' })
        await this.#refund(id, state.object, shopClient)
        break
      case 'failed':
        await act({ action: 'decline', failure_code: supportedCode(code) })
        break
      case 'expired':
        if (code === 'session_timeout') await act({ action: 'open_session' })
        await act({ action: 'expire' })
        break
      case 'cancelled':
        await ignoreRefusal(() => shopClient?.payments.cancel(id))
    }
  }

  /** Creates the refunds that no call of the recording made, and settles all refunds of the payment. */
  async #refund(paymentId: string, object: JsonObject | undefined, shopClient: Client | undefined): Promise<void> {
    const refunds = object?.['refunds']
    for (const item of Array.isArray(refunds) ? refunds : []) {
      const refund = asObject(item)
      const [recorded, status] = [asText(refund?.['id']), asText(refund?.['status'])]
      if (refund === undefined || recorded === undefined) continue
      if (this.#ids.get(recorded) === undefined) {
        const body = { amount: Number(refund['amount']), reason: asText(refund['reason']) }
        const made = await ignoreRefusal(() =>
          shopClient?.payments.refund(paymentId, body, { outcome: refundPlan(status) }),
        )
        this.#ids.learn(refund, made)
      }
      const id = this.#ids.get(recorded)
      if (id === undefined || (status !== 'succeeded' && status !== 'failed')) continue
      await ignoreRefusal(() => this.#client.control.act.refund(id, { action: 'settle', status }))
    }
  }
}

/** Ignores a refused action: the object may already have the state. If it does not, the comparison shows that. */
async function ignoreRefusal<T>(act: () => Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The amount of an object, if the recording does not show the amount. A payment with larger refunds gets their sum. */
const AMOUNT = 100_000

async function createPayment(shopClient: Client, known: RecordedObject | undefined): Promise<object> {
  const first = known?.first?.object ?? {}
  const all = asObject(first['metadata']) ?? {}
  const metadata = Object.entries(all).filter(([name, value]) => typeof value === 'string' && !isReservedKey(name))
  const returnUrl = asText(first['return_url'])
  const body = {
    amount: Number(first['amount']) || Math.max(AMOUNT, known?.refunded ?? 0),
    currency: asText(first['currency']),
    method: asText(first['method']) as PaymentMethod | undefined,
    order_id: asText(first['order_id']),
    ...(returnUrl !== undefined && parsedUrl(returnUrl)?.protocol === 'https:' && { return_url: returnUrl }),
    customer_id: asText(all['customer_id']),
    metadata: Object.fromEntries(metadata) as { [name: string]: string },
  }
  const { payment } = await shopClient.payments.create(body, { outcome: announcedPlan(all) })
  return payment
}

/** Returns `failed:CODE` if the metadata announces a failure with its code. Otherwise the default plan applies. */
function announcedPlan(metadata: JsonObject): string | undefined {
  const code = asText(metadata['simulator_failure_code'])
  return asText(metadata['simulator_outcome']) === 'failed' && code !== undefined && code !== ''
    ? `failed:${supportedCode(code)}`
    : undefined
}

async function createPayout(shopClient: Client, known: RecordedObject | undefined): Promise<object> {
  const first = known?.first?.object ?? {}
  const recipient = asObject(first['recipient']) ?? {}
  const { payout } = await shopClient.payouts.create({
    amount: Number(first['amount']) || AMOUNT,
    currency: asText(first['currency']),
    phone: asText(recipient['phone']) ?? '+79000000000',
    bank_id: asText(recipient['bank_id']) ?? '100000000111',
    full_name: asText(recipient['full_name']),
  })
  return payout
}
