// The merchant behind the test shop: a separate shop with an API key, which also receives its webhooks.
import { assembleClient } from '../../client/assemble-client.ts'
import { follow } from '../../client/follow.ts'
import type { ListenerDelivery } from '../../client/listener-types.ts'
import type { CreatePaymentBody } from '../../client/public-types.ts'
import { browserClock } from './browser-clock.ts'
import { browserFetch } from './browser-fetch.ts'
import type { Session } from './session.ts'
import { verifySignature } from './verify-signature.ts'

const NAME = 'Test shop'

/** The API key is kept until the tab is closed, like the token. */
const STORED = 'psp-test-shop'

interface Merchant {
  readonly shop_id: string
  readonly api_key: string
}

/** A webhook that this page received, and whether its signature was valid. */
export interface ReceivedWebhook {
  readonly event_id: string
  readonly isValid: boolean
}

/** Returns whether this tab has bought something. Until then no shop is created, so a visit changes nothing. */
export function hasMerchant(): boolean {
  return sessionStorage.getItem(STORED) !== null
}

/** Uses the shop and key of this tab, the shop of an earlier visit with a new key, or a new shop. */
async function openMerchant({ client: { control } }: Session): Promise<Merchant> {
  const { items } = await control.shops.list({ limit: 1000 })
  const stored = JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as Merchant | null
  if (stored !== null && items.some(({ id }) => id === stored.shop_id)) return stored
  const shop = items.find(({ name }) => name === NAME)
  const { shop_id, api_key } =
    shop === undefined
      ? await control.shops.create({ name: NAME })
      : { shop_id: shop.id, ...(await control.keys.create(shop.id, { mode: 'test' })) }
  sessionStorage.setItem(STORED, JSON.stringify({ shop_id, api_key }))
  return { shop_id, api_key }
}

/** Creates a payment by the public API, as a shop does. */
export async function createByPublicApi(session: Session, body: CreatePaymentBody): Promise<string> {
  const { api_key: apiKey } = await openMerchant(session)
  const shop = assembleClient({ fetch: browserFetch, baseUrl: session.base, apiKey }, () => '')
  const { payment } = await shop.payments.create(body, { idempotencyKey: body.order_id })
  return payment.id
}

/**
 * Receives the webhooks of the test shop until `signal` aborts or another tab receives them. A page without a secure
 * context cannot verify them.
 */
export async function receiveWebhooks(
  session: Session,
  signal: AbortSignal,
  onReceived: (webhook: ReceivedWebhook) => void,
): Promise<void> {
  const { listeners } = session.client.control
  const { shop_id } = await openMerchant(session)
  const id = `test_shop_${shop_id}`.slice(0, 64)
  const { secret } = await listeners.open({ id, shop_id, url: NAME, events: [] })
  const connect = (_: string | undefined, connection: AbortSignal) => listeners.stream(id, { signal: connection })
  for await (const { event, data } of follow({ connect, timers: browserClock, signal })) {
    if (event === 'replaced') return
    if (event !== 'delivery') continue
    const { delivery_id, attempt, generation, event_id, headers, body_b64 } = JSON.parse(data) as ListenerDelivery
    const start = browserClock.now()
    const body = Uint8Array.from(atob(body_b64), (character) => character.charCodeAt(0))
    const header = headers.find(([name]) => name.toLowerCase() === 'x-psp-signature')?.[1] ?? ''
    const isValid = await verifySignature(header, body, secret, browserClock.now())
    onReceived({ event_id, isValid })
    const response_body = isValid ? 'stored' : 'invalid signature'
    await listeners
      .report(id, {
        ...{ delivery_id, attempt, generation, response_body },
        status: isValid ? 200 : 400,
        ms: browserClock.now() - start,
      })
      .catch(() => {})
  }
}
