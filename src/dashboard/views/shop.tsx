// A storefront for people who have no application yet. It shows order, payment and webhook side by side.

import { useState } from 'preact/hooks'
import type { DeliveryView, EventView } from '../../client/control-types.ts'
import { formatMoney } from '../../domain/currency.ts'
import { isFinalPayment } from '../../domain/payment-states.ts'
import { paymentTimeline } from '../../view-model/detail/timeline.ts'
import { formatAttemptResult } from '../../view-model/rows/message-summary.ts'
import type { PaymentRow } from '../../view-model/rows/rows.ts'
import { Status } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { CodeText } from '../components/empty.tsx'
import { ObjectLink } from '../components/object-link.tsx'
import { Card, Page } from '../components/page.tsx'
import { Timeline } from '../detail/timeline.tsx'
import { useObject } from '../detail/use-object.ts'
import { browserClock } from '../state/browser-clock.ts'
import { openHostedPage } from '../state/perform.ts'
import { useStore } from '../state/store.ts'
import { useTask } from '../state/use-task.ts'
import type { MessageKey } from '../text/messages.ts'
import { useText } from '../text/translate.ts'
import type { View } from './view.ts'

const CURRENCY = 'RUB'

/** The amounts are ordinary, so that the buyer and the rules decide the outcome. */
const ITEMS = [
  { name: 'item_coffee', amount: 89_000 },
  { name: 'item_umbrella', amount: 245_000 },
  { name: 'item_lamp', amount: 379_000 },
] as const

function ShopPage() {
  const t = useText()
  const store = useStore()
  const { session, route } = store.now
  const run = useTask()
  const [busy, setBusy] = useState(false)
  const buy = ({ name, amount }: (typeof ITEMS)[number]) => {
    setBusy(true)
    const order = `shop-${browserClock.now()}`
    const item = t(name)
    run(
      'done_bought',
      async () => {
        const { id } = await session.client.control.merchant
          .createPayment({ amount, currency: CURRENCY, order_id: order, description: item, metadata: { item } })
          .finally(() => setBusy(false))
        store.go({ view: 'shop', id })
        openHostedPage(session.base, id)
      },
      { order },
    )
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
                onClick={() => buy(item)}
              >
                {t('buy')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {route.id !== '' && <Purchase key={route.id} id={route.id} />}
    </Page>
  )
}

function Purchase({ id }: { readonly id: string }) {
  const t = useText()
  const { row, detail, schedule } = useObject('payments', id)
  if (row === undefined)
    return (
      <p class="quiet" role="status">
        {detail.loading ? t('loading') : t('gone', { what: t('payment') })}
      </p>
    )
  const { events, deliveries, loading } = detail
  return (
    <>
      <div class="cards columns">
        <OrderCard row={row} events={events} />
        <PaymentCard row={row} />
        <WebhookCard events={events} deliveries={deliveries} />
      </div>
      <Timeline statuses={paymentTimeline(row, loading)} events={events} deliveries={deliveries} schedule={schedule} />
    </>
  )
}

/** The state of an order after its newest event. After any other event it is not paid. */
const ORDER_STATES: Readonly<Record<string, MessageKey>> = {
  'payment.succeeded': 'order_paid',
  'payment.refunded': 'order_refunded',
}

/** The order changes with the event and not with the payment, as in a real shop. */
function OrderCard({ row: { payment }, events }: { readonly row: PaymentRow; readonly events: readonly EventView[] }) {
  const t = useText()
  const [newest] = events
  return (
    <Card title={t('shop_order')}>
      <p>
        <bdi class="mono">{payment.order_id}</bdi>
      </p>
      <p>
        {payment.metadata['item']} <span class="money">{formatMoney(payment.amount, payment.currency)}</span>
      </p>
      <p role="status">{t(newest === undefined ? 'order_waiting' : (ORDER_STATES[newest.event] ?? 'order_unpaid'))}</p>
      <ol class="advice quiet">
        <li>{t('advice_order')}</li>
        <li>{t(newest === undefined ? 'advice_wait' : 'advice_event_decides')}</li>
      </ol>
    </Card>
  )
}

function PaymentCard({ row: { id, payment } }: { readonly row: PaymentRow }) {
  const t = useText()
  const { session } = useStore().now
  const isFinal = isFinalPayment(payment.status)
  return (
    <Card title={t('payment')}>
      <p role="status">
        <Status status={payment.status} />
      </p>
      <p class="mono">
        <ObjectLink view="payments" id={id}>
          {id.slice(0, 12)}
        </ObjectLink>
      </p>
      {!isFinal && (
        <p>
          <a class="button" href={`${session.base}/pay/${id}`} target="_blank" rel="noopener">
            {t('open_page')}
          </a>
        </p>
      )}
      <ol class="advice quiet">
        <li>{t(isFinal ? 'advice_return' : 'advice_page')}</li>
      </ol>
    </Card>
  )
}

interface WebhookCardProps {
  readonly events: readonly EventView[]
  readonly deliveries: readonly DeliveryView[]
}

function WebhookCard({ events, deliveries }: WebhookCardProps) {
  const t = useText()
  return (
    <Card title={t('webhook')}>
      {events.length === 0 && <p class="quiet">{t('shop_no_event')}</p>}
      {events.map(({ id, event }) => {
        const received = deliveries.filter(({ event_id }) => event_id === id)
        return (
          <div key={id}>
            <p>
              <ObjectLink view="events" id={id}>
                {event}
              </ObjectLink>
            </p>
            {received.length === 0 && (
              <p class="quiet">
                <CodeText text={t('shop_no_receiver')} />
              </p>
            )}
            {received.map((delivery) => (
              <p key={delivery.id}>
                <Status status={delivery.status} />{' '}
                {delivery.attempts.length > 0 && formatAttemptResult(delivery.attempts.at(-1))}{' '}
                <bdi class="quiet url">{delivery.url}</bdi>
              </p>
            ))}
          </div>
        )
      })}
      <ol class="advice quiet">
        <li>{t('advice_verify')}</li>
        <li>{t('advice_respond')}</li>
        <li>{t('advice_copy')}</li>
      </ol>
    </Card>
  )
}

export const shopView: View = { name: 'shop', letter: 't', title: 'shop_title', icon: 'shop', component: ShopPage }
