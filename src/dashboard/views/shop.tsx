// A storefront for people who have no application yet. It shows order, payment and webhook side by side.

import { useEffect, useState } from 'preact/hooks'
import { formatMoney } from '../../domain/currency.ts'
import { isLoopback } from '../../domain/loopback.ts'
import { paymentTimeline } from '../../view-model/detail/timeline.ts'
import { Button } from '../components/button.tsx'
import { Page } from '../components/page.tsx'
import { Timeline } from '../detail/timeline.tsx'
import { useObject } from '../detail/use-object.ts'
import { browserClock } from '../state/browser-clock.ts'
import { openHostedPage } from '../state/perform.ts'
import { useStore } from '../state/store.ts'
import { createByPublicApi, hasMerchant, type ReceivedWebhook, receiveWebhooks } from '../state/test-shop.ts'
import { useTask } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'
import { OrderCard, PaymentCard, type Received, WebhookCard } from './shop-cards.tsx'

const CURRENCY = 'RUB'

/** No amount is a magic value, so that the buyer and the rules decide the outcome. */
const ITEMS = [
  { name: 'item_coffee', amount: 89_000 },
  { name: 'item_umbrella', amount: 245_000 },
  { name: 'item_lamp', amount: 379_000 },
] as const

export function ShopPage() {
  const t = useText()
  const store = useStore()
  const { session, route } = store.app
  const run = useTask()
  const [busy, setBusy] = useState(false)
  const { payment_id: returned, status } = route.query
  const id = route.id || (returned ?? '')
  const received = useReceived(returned === undefined && hasMerchant())
  const buy = ({ name, amount }: (typeof ITEMS)[number], return_url: string | undefined) => {
    setBusy(true)
    const order = `shop-${browserClock.now()}`
    const item = t(name)
    run(
      'done_bought',
      async () => {
        const body = { amount, currency: CURRENCY, order_id: order, description: item, metadata: { item }, return_url }
        const id = await createByPublicApi(session, body).finally(() => setBusy(false))
        store.go({ view: 'shop', id })
        openHostedPage(session.base, id, t)
      },
      { order },
    )
  }
  /**
   * Asks before it enables `http_return_url` for this page. A page without TLS on another host has no return address.
   */
  const start = async (item: (typeof ITEMS)[number]) => {
    const { settings } = session.client.control
    const address = new URL(store.href({ id: '', query: {} }), location.href)
    const isHttps = address.protocol === 'https:'
    if (!isHttps && !isLoopback(address.hostname)) return buy(item, undefined)
    if (isHttps || (await settings.get())['http_return_url'] === true) return buy(item, address.href)
    const allow = async () => {
      await settings.update({ http_return_url: true })
      buy(item, address.href)
      return { name: 'http_return_url' }
    }
    run.ask(t('ask_return'), 'buy', 'done_saved_setting', allow, 'primary')
  }
  return (
    <Page title={t('shop_title')} text={t('shop_text')}>
      <ul class="card shop-items" aria-label={t('shop_items')}>
        {ITEMS.map((item) => (
          <li key={item.name}>
            <strong>{t(item.name)}</strong>
            <span class="money">{formatMoney(item.amount, CURRENCY)}</span>
            {!session.readOnly && (
              <Button
                look="primary"
                aria-label={`${t('buy')}: ${t(item.name)}`}
                disabled={busy}
                onClick={() => void start(item).catch(store.fail)}
              >
                {t('buy')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {returned !== undefined && (
        <p class="card" role="status">
          {t('shop_returned', { word: status })}
        </p>
      )}
      {id !== '' && <Purchase key={id} id={id} received={received} />}
    </Page>
  )
}

/**
 * Receives the webhooks of the test shop while its view is open.
 * @param isWanted false in the browser tab to which the buyer returned, because the tab of the shop receives the
 * webhooks
 */
function useReceived(isWanted: boolean): Received {
  const store = useStore()
  const { session } = store.app
  const [received, setReceived] = useState<Received>(new Map())
  useEffect(() => {
    // Only a secure page can verify a signature.
    if (!isWanted || session.readOnly || !isSecureContext) return
    const ended = new AbortController()
    const keep = ({ event_id, isValid }: ReceivedWebhook) =>
      setReceived((before) => new Map(before).set(event_id, isValid))
    receiveWebhooks(session, ended.signal, keep).catch((error) => ended.signal.aborted || store.fail(error))
    return () => ended.abort()
  }, [session, isWanted])
  return received
}

function Purchase({ id, received }: { readonly id: string; readonly received: Received }) {
  const t = useText()
  const { row, detail, schedule } = useObject('payments', id)
  if (row === undefined)
    return (
      <p class="quiet" role="status">
        {t(detail.loading ? 'loading' : 'gone')}
      </p>
    )
  const { events, deliveries, loading } = detail
  return (
    <>
      <div class="cards columns">
        <OrderCard row={row} events={events} />
        <PaymentCard row={row} />
        <WebhookCard events={events} deliveries={deliveries} received={received} />
      </div>
      <Timeline statuses={paymentTimeline(row, loading)} events={events} deliveries={deliveries} schedule={schedule} />
    </>
  )
}
