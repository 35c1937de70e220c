import { formatMoney } from '../../domain/currency.ts'
import { fieldRows } from '../../view-model/detail/blocks.ts'
import { statusTone } from '../../view-model/detail/tones.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { Button } from '../components/button.tsx'
import { DetailFrame, NoDetail } from '../components/detail-frame.tsx'
import { ObjectLink } from '../components/object-link.tsx'
import { useStore } from '../state/store.ts'
import { useTask } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'
import { Blocks } from './blocks.tsx'
import type { RefundRow } from './refund-row.ts'

export function RefundDetail({ id, rows }: { readonly id: string; readonly rows: readonly RefundRow[] }) {
  const t = useText()
  const store = useStore()
  const run = useTask()
  const { session, model } = store.app
  const row = rows.find((each) => each.id === id)
  if (row === undefined) return <NoDetail loading={model.rowsRead.payments !== undefined} />
  const { refund, payment } = row
  const settle = (status: 'succeeded' | 'failed') =>
    run('done_refund', () => session.client.control.act.refund(id, { action: 'settle', status }))
  const isOpen = !session.readOnly && refund.status === 'pending'
  const view = {
    title: id,
    note: '',
    problem: undefined,
    summary: [
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
            <Button look="primary" onClick={() => settle('succeeded')}>
              {t('settle')}
            </Button>
          )}
          {isOpen && <Button onClick={() => settle('failed')}>{t('decline')}</Button>}
          <ObjectLink view="payments" id={payment.id}>
            {t('payment')}
          </ObjectLink>
        </>
      }
    >
      <Blocks blocks={[{ kind: 'fields', title: 'Fields', rows: rowsOfFields }]} />
    </DetailFrame>
  )
}
