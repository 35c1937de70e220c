import { rowAction } from '../../view-model/actions/act-on-row.ts'
import { rowActionIssue } from '../../view-model/actions/available-actions.ts'
import { describeRow } from '../../view-model/detail/describe-row.ts'
import type { PayoutRow } from '../../view-model/rows/rows.ts'
import { Button } from '../components/button.tsx'
import { DetailFrame, NoDetail } from '../components/detail-frame.tsx'
import { Menu } from '../components/menu.tsx'
import { useActions } from '../state/actions.ts'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import { Blocks } from './blocks.tsx'
import { createAsCurl, payoutAsPsp, payoutBody } from './commands.ts'
import { Timeline } from './timeline.tsx'
import { useObject } from './use-object.ts'

export function PayoutDetail({ id }: { readonly id: string }) {
  const { row, detail, schedule } = useObject('payouts', id)
  if (row === undefined) return <NoDetail {...detail} />
  const view = describeRow(row, detail, { bankName: () => undefined, historyLoading: detail.loading })
  const statuses = view.blocks.find((block) => block.kind === 'timeline')
  return (
    <DetailFrame view={view} buttons={<PayoutButtons row={row} />}>
      {statuses && (
        <Timeline statuses={statuses} events={detail.events} deliveries={detail.deliveries} schedule={schedule} />
      )}
      <Blocks blocks={view.blocks} />
    </DetailFrame>
  )
}

function PayoutButtons({ row }: { readonly row: PayoutRow }) {
  const t = useText()
  const store = useStore()
  const { perform } = useActions()
  const { session } = store.app
  const { id, payout } = row
  const isOpen = !session.readOnly && rowActionIssue(row, 'pay', 'payouts') === undefined
  const copy = (text: string) => void perform({ do: 'copy', text })
  return (
    <>
      {isOpen && (
        <Button look="primary" onClick={() => void perform({ do: 'settle', id, status: 'succeeded' })}>
          {t('settle')}
        </Button>
      )}
      {isOpen && (
        <Button
          onClick={() => {
            const dialog = rowAction(row, 'decline')
            if (dialog !== undefined && 'kind' in dialog && dialog.kind === 'form') store.open(dialog)
          }}
        >
          {t('decline')}
        </Button>
      )}
      <Menu
        title={t('more')}
        items={[
          { text: t('copy_id'), run: () => copy(id) },
          { text: t('copy_link'), run: () => copy(new URL(store.href({ id, query: {} }), location.href).href) },
          { text: t('copy_curl'), run: () => copy(createAsCurl(session.base, 'payouts', payoutBody(payout))) },
          { text: t('copy_psp'), run: () => copy(payoutAsPsp(session, payout)) },
        ]}
      />
    </>
  )
}
