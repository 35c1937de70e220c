import { rowAction } from '../../view-model/actions/act-on-row.ts'
import { type RowAction, rowActionIssue } from '../../view-model/actions/available-actions.ts'
import { describeRow } from '../../view-model/detail/describe-row.ts'
import type { PaymentRow } from '../../view-model/rows/rows.ts'
import { Button } from '../components/button.tsx'
import { DetailFrame, NoDetail } from '../components/detail-frame.tsx'
import { Menu } from '../components/menu.tsx'
import { useActions } from '../state/actions.ts'
import { hostedPageUrl } from '../state/perform.ts'
import { saveFile } from '../state/save-file.ts'
import { useStore } from '../state/store.ts'
import { useTask } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'
import { Blocks } from './blocks.tsx'
import { paymentAsCurl, paymentAsPsp, paymentScenario } from './commands.ts'
import { Timeline } from './timeline.tsx'
import { useObject } from './use-object.ts'

export function PaymentDetail({ id }: { readonly id: string }) {
  const t = useText()
  const { row, detail, schedule } = useObject('payments', id)
  if (row === undefined) return <NoDetail {...detail} />
  const view = describeRow(row, detail, { bankName: () => undefined, historyLoading: detail.loading })
  const statuses = view.blocks.find((block) => block.kind === 'timeline')
  return (
    <DetailFrame
      view={{ ...view, title: t('order_title', { order: row.payment.order_id }) }}
      id={id}
      buttons={<PaymentButtons row={row} />}
    >
      {statuses && (
        <Timeline statuses={statuses} events={detail.events} deliveries={detail.deliveries} schedule={schedule} />
      )}
      <Blocks blocks={view.blocks} />
    </DetailFrame>
  )
}

function PaymentButtons({ row }: { readonly row: PaymentRow }) {
  const t = useText()
  const store = useStore()
  const { perform } = useActions()
  const run = useTask()
  const { session } = store.app
  const { id, payment } = row
  const may = (action: RowAction) => !session.readOnly && rowActionIssue(row, action, 'payments') === undefined
  const form = (action: RowAction) => {
    const dialog = rowAction(row, action)
    if (dialog !== undefined && 'kind' in dialog && dialog.kind === 'form') store.open(dialog)
  }
  const act = session.client.control.act.payment
  const copy = (text: string) => void perform({ do: 'copy', text })
  return (
    <>
      {may('pay') && (
        <Button look="primary" onClick={() => void perform({ do: 'pay', id })}>
          {t('pay')}
        </Button>
      )}
      {may('decline') && <Button onClick={() => form('decline')}>{t('decline')}</Button>}
      {may('refund') && <Button onClick={() => form('refund')}>{t('refund')}</Button>}
      {may('cancel') && (
        <Button
          onClick={() =>
            store.open({
              kind: 'confirm',
              question: t('ask_cancel', { id: id.slice(0, 8) }),
              confirm: t('confirm_cancel'),
              dismiss: t('keep_payment'),
              run: () => perform({ do: 'cancel', id }),
            })
          }
        >
          {t('cancel')}
        </Button>
      )}
      <a class="button" href={hostedPageUrl(session.base, id, t)} target="_blank" rel="noopener">
        {t('open_page')}
      </a>
      <Menu
        title={t('more')}
        items={[
          ...(may('pay')
            ? [
                {
                  text: t('expire'),
                  run: () =>
                    run.ask(t('ask_expire', { id: id.slice(0, 8) }), 'confirm_expire', 'done_status', () =>
                      act(id, { action: 'expire' }),
                    ),
                },
              ]
            : []),
          { text: t('copy_id'), run: () => copy(id) },
          { text: t('copy_link'), run: () => copy(new URL(store.href({ id, query: {} }), location.href).href) },
          { text: t('copy_pay_link'), run: () => copy(`${session.base}/pay/${id}`) },
          { text: t('copy_curl'), run: () => copy(paymentAsCurl(session.base, payment)) },
          { text: t('copy_psp'), run: () => copy(paymentAsPsp(session, payment)) },
          {
            text: t('save_scenario'),
            run: () => {
              const scenario = paymentScenario(payment)
              const file = `${scenario.name}.json`
              saveFile(file, JSON.stringify(scenario, null, 2))
              store.toast({ text: t('done_saved', { file }) })
            },
          },
        ]}
      />
    </>
  )
}
