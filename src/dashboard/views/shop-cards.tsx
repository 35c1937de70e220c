// Order, payment and webhook side by side, with what a correct shop does at each step.
import type { DeliveryView, EventView } from '../../client/control-types.ts'
import { formatMoney } from '../../domain/currency.ts'
import { isFinalPayment } from '../../domain/payment-states.ts'
import { formatAttemptResult } from '../../view-model/rows/attempt-result.ts'
import type { PaymentRow } from '../../view-model/rows/rows.ts'
import { Status } from '../components/badge.tsx'
import { CodeText } from '../components/empty.tsx'
import { ObjectLink } from '../components/object-link.tsx'
import { Card } from '../components/page.tsx'
import { hostedPageUrl } from '../state/perform.ts'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import { orderStateText } from './order-state.ts'

/** By the id of each event that this page received: whether its signature was valid. */
export type Received = ReadonlyMap<string, boolean>

/** The state of the order depends on the events, not on the payment, as in a real shop. */
export function OrderCard({
  row: { payment },
  events,
}: {
  readonly row: PaymentRow
  readonly events: readonly EventView[]
}) {
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
      <p role="status">{t(orderStateText(newest))}</p>
      <ol class="advice quiet">
        <li>{t('advice_order')}</li>
        <li>{t(newest === undefined ? 'advice_wait' : 'advice_event_decides')}</li>
      </ol>
    </Card>
  )
}

export function PaymentCard({ row: { id, payment } }: { readonly row: PaymentRow }) {
  const t = useText()
  const { session } = useStore().app
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
          <a class="button" href={hostedPageUrl(session.base, id, t)} target="_blank" rel="noopener">
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
  readonly received: Received
}

export function WebhookCard({ events, deliveries, received }: WebhookCardProps) {
  const t = useText()
  return (
    <Card title={t('webhook')}>
      {events.length === 0 && <p class="quiet">{t('shop_no_event')}</p>}
      {events.map(({ id, event }) => {
        const ofEvent = deliveries.filter(({ event_id }) => event_id === id)
        return (
          <div key={id}>
            <p>
              <ObjectLink view="events" id={id}>
                {event}
              </ObjectLink>
            </p>
            {received.has(id) && (
              <p>
                <span class={`badge tone-${received.get(id) ? 'success' : 'failure'}`}>
                  {t(received.get(id) ? 'signature_valid' : 'signature_invalid')}
                </span>{' '}
                <span class="quiet">{t('verified_here')}</span>
              </p>
            )}
            {ofEvent.length === 0 && (
              <p class="quiet">
                <CodeText text={t('shop_no_receiver')} />
              </p>
            )}
            {ofEvent.map((delivery) => (
              <p key={delivery.id}>
                <Status status={delivery.status} /> {t.result(formatAttemptResult(delivery.attempts.at(-1)))}{' '}
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
