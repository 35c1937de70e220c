// The details of a payment and of a payout: the actions, the timeline and the blocks.
import type { ComponentChildren } from 'preact'
import { refundableAmount } from '../../domain/refund.ts'
import { type RowAction, rowActionIssue } from '../../view-model/actions/available-actions.ts'
import { describeRow } from '../../view-model/detail/describe-row.ts'
import type { Form } from '../../view-model/forms/form.ts'
import { openDeclineForm, openRefundForm } from '../../view-model/forms/open-form.ts'
import type { PaymentRow, PayoutRow } from '../../view-model/rows/rows.ts'
import { Button } from '../components/button.tsx'
import { DetailFrame, NoDetail } from '../components/detail-frame.tsx'
import { Menu, type MenuItem } from '../components/menu.tsx'
import { hostedPageUrl, usePerform } from '../state/perform.ts'
import { saveFile } from '../state/save-file.ts'
import { useStore } from '../state/store.ts'
import { useTask } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'
import { Blocks } from './blocks.tsx'
import { createAsCurl, paymentAsCurl, paymentAsPsp, paymentScenario, payoutAsPsp, payoutBody } from './commands.ts'
import { Timeline } from './timeline.tsx'
import { type OpenObject, useObject } from './use-object.ts'

export function PaymentDetail({ id }: { readonly id: string }) {
  const t = useText()
  const object = useObject('payments', id)
  const { row } = object
  if (row === undefined) return <NoDetail {...object.detail} />
  const title = t('order_title', { order: row.payment.order_id })
  return <ObjectDetail {...object} row={row} title={title} buttons={<PaymentButtons row={row} />} />
}

export function PayoutDetail({ id }: { readonly id: string }) {
  const object = useObject('payouts', id)
  const { row } = object
  if (row === undefined) return <NoDetail {...object.detail} />
  return <ObjectDetail {...object} row={row} buttons={<PayoutButtons row={row} />} />
}

interface ObjectDetailProps extends Pick<OpenObject, 'detail' | 'schedule'> {
  readonly row: PaymentRow | PayoutRow
  /** Default: the id. */
  readonly title?: string
  readonly buttons: ComponentChildren
}

function ObjectDetail({ row, detail, schedule, title, buttons }: ObjectDetailProps) {
  const { events, deliveries, loading } = detail
  const view = describeRow(row, detail, { historyLoading: loading })
  const statuses = view.blocks.find((block) => block.kind === 'timeline')
  return (
    <DetailFrame
      view={{ ...view, title: title ?? view.title }}
      id={title === undefined ? undefined : row.id}
      buttons={buttons}
    >
      {statuses && <Timeline statuses={statuses} events={events} deliveries={deliveries} schedule={schedule} />}
      <Blocks blocks={view.blocks} />
    </DetailFrame>
  )
}

function PaymentButtons({ row }: { readonly row: PaymentRow }) {
  const t = useText()
  const store = useStore()
  const perform = usePerform()
  const run = useTask()
  const copy = useCopyItem()
  const { session } = store.app
  const { id, payment } = row
  const can = (action: RowAction) => !session.readOnly && rowActionIssue(row, action, 'payments') === undefined
  const open = (form: Form) => store.open({ kind: 'form', form })
  const expire = () => session.client.control.act.payment(id, { action: 'expire' })
  const short = id.slice(0, 8)
  return (
    <>
      {can('pay') && (
        <Button look="primary" onClick={() => void perform({ do: 'pay', id })}>
          {t('pay')}
        </Button>
      )}
      {can('decline') && <Button onClick={() => open(openDeclineForm(id, 'payments'))}>{t('decline')}</Button>}
      {can('refund') && (
        <Button onClick={() => open(openRefundForm(id, refundableAmount(payment, payment.refunds), payment.currency))}>
          {t('refund')}
        </Button>
      )}
      {can('cancel') && (
        <Button
          onClick={() =>
            store.open({
              kind: 'confirm',
              question: t('ask_cancel', { id: short }),
              confirm: t('confirm_cancel'),
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
          ...(can('pay')
            ? [
                {
                  text: t('expire'),
                  run: () => run.ask(t('ask_expire', { id: short }), 'confirm_expire', 'done_status', expire),
                },
              ]
            : []),
          copy('copy_id', id),
          copy('copy_link', new URL(store.href({ id, query: {} }), location.href).href),
          copy('copy_pay_link', `${session.base}/pay/${id}`),
          copy('copy_curl', paymentAsCurl(session.base, payment)),
          copy('copy_psp', paymentAsPsp(session, payment)),
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

function PayoutButtons({ row }: { readonly row: PayoutRow }) {
  const t = useText()
  const store = useStore()
  const perform = usePerform()
  const copy = useCopyItem()
  const { session } = store.app
  const { id, payout } = row
  return (
    <>
      {!session.readOnly && rowActionIssue(row, 'pay', 'payouts') === undefined && (
        <>
          <Button look="primary" onClick={() => void perform({ do: 'settle', id, status: 'succeeded' })}>
            {t('settle')}
          </Button>
          <Button onClick={() => store.open({ kind: 'form', form: openDeclineForm(id, 'payouts') })}>
            {t('decline')}
          </Button>
        </>
      )}
      <Menu
        title={t('more')}
        items={[
          copy('copy_id', id),
          copy('copy_link', new URL(store.href({ id, query: {} }), location.href).href),
          copy('copy_curl', createAsCurl(session.base, 'payouts', payoutBody(payout))),
          copy('copy_psp', payoutAsPsp(session, payout)),
        ]}
      />
    </>
  )
}

/** Returns a function that creates the item of a menu that copies a text. */
function useCopyItem() {
  const t = useText()
  const perform = usePerform()
  return (title: 'copy_id' | 'copy_link' | 'copy_pay_link' | 'copy_curl' | 'copy_psp', text: string): MenuItem => ({
    text: t(title),
    run: () => void perform({ do: 'copy', text }),
  })
}
