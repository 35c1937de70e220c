import { formatMoney } from '../../domain/currency.ts'
import { fieldRows } from '../../view-model/detail/blocks.ts'
import { statusTone } from '../../view-model/detail/tones.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { DetailFrame, NoDetail } from '../components/detail-frame.tsx'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import { Blocks } from './blocks.tsx'
import type { RefundRow } from './refund-row.ts'

export function RefundDetail({ id, rows }: { readonly id: string; readonly rows: readonly RefundRow[] }) {
  const t = useText()
  const store = useStore()
  const { session, loaded } = store.now
  const row = rows.find((each) => each.id === id)
  if (row === undefined) return <NoDetail what={t('refund')} loading={!loaded} />
  const { refund, payment } = row
  const settle = (status: 'succeeded' | 'failed') =>
    session.client.control.act.refund(id, { action: 'settle', status }).then(
      (done) => store.toast(t('done_refund', done)),
      (error: Error) => store.toast(error.message, 'failure'),
    )
  const isOpen = !session.readOnly && refund.status === 'pending'
  const view = {
    title: id,
    note: '',
    problem: undefined,
    facts: [
      { text: refund.status, tone: statusTone(refund.status), isStatus: true as const },
      { text: formatMoney(refund.amount, payment.currency), tone: 'plain' as const },
    ],
  }
  const rowsOfFields = fieldRows([
    ['order', payment.order_id],
    ['reason', refund.reason],
    ['at', formatDateTime(refund.created_at)],
  ])
  return (
    <DetailFrame
      view={view}
      buttons={
        <>
          {isOpen && (
            <button type="button" class="button primary" onClick={() => void settle('succeeded')}>
              {t('settle')}
            </button>
          )}
          {isOpen && (
            <button type="button" class="button" onClick={() => void settle('failed')}>
              {t('decline')}
            </button>
          )}
          <a
            class="button"
            href={store.href({ view: 'payments', id: payment.id })}
            onClick={(event) => {
              event.preventDefault()
              store.go({ view: 'payments', id: payment.id })
            }}
          >
            {t('payment')}
          </a>
        </>
      }
    >
      <Blocks blocks={[{ kind: 'fields', title: 'Fields', rows: rowsOfFields }]} />
    </DetailFrame>
  )
}
