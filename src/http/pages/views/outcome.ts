// The result of the payment, as a message for the buyer.
import { html } from 'hono/html'
import type { Payment } from '../../../domain/payment.ts'
import { isFinalPayment } from '../../../domain/payment-states.ts'
import type { MessageKey } from '../localizer.ts'
import { type IconName, icon } from './icons.ts'
import { methodMark } from './marks.ts'
import type { Html, PageView } from './page-view.ts'
import { storedBankName, truncate } from './text.ts'

interface OutcomeDisplay {
  readonly icon?: IconName
  readonly tone: 'good' | 'bad' | 'calm' | 'wait'
  readonly title: MessageKey
  readonly text?: MessageKey
}

/** The steps in which the buyer has nothing left to do. */
export const OUTCOMES = {
  waiting: { tone: 'wait', title: 'waiting_title', text: 'waiting_text' },
  processing: { tone: 'wait', title: 'processing_title', text: 'processing_text' },
  succeeded: { icon: 'check', tone: 'good', title: 'succeeded_title', text: 'succeeded_text' },
  failed: { icon: 'cross', tone: 'bad', title: 'failed_title' },
  cancelled: { icon: 'cross', tone: 'calm', title: 'cancelled_title', text: 'cancelled_text' },
  expired: { icon: 'clock', tone: 'calm', title: 'expired_title' },
  refunded: { icon: 'back', tone: 'calm', title: 'refunded_title', text: 'refunded_text' },
} as const satisfies { readonly [step: string]: OutcomeDisplay }

type Final = keyof typeof OUTCOMES & Payment['status']

export function outcome(view: PageView): Html {
  const { localizer, payment, step, returns_after, query } = view
  const { text } = localizer
  const display: OutcomeDisplay = OUTCOMES[step as keyof typeof OUTCOMES]
  const reason = localizer.failure(payment)
  return html`<div class="outcome outcome-${display.tone}"><span class="outcome-icon">${
    display.icon === undefined
      ? html`<span class="spinner" aria-hidden="true"></span>${methodMark(payment.method)}`
      : icon(display.icon)
  }</span>
<h1 data-headline>${text(display.title)}</h1>
${reason !== undefined && html`<p>${reason}</p>`}
${display.text !== undefined && html`<p>${text(display.text)}</p>`}
${reason !== undefined && html`<p class="quiet">${text('nothing_charged')}</p>`}
</div>
${
  returns_after !== undefined &&
  html`<div class="returning">${!query.stay && html`<p data-leaving>${text('returning')}</p><span class="returning-bar" aria-hidden="true" data-leaving></span>`}<a class="button ${query.stay ? 'primary' : 'secondary'}" href="${view.href('return', { by: query.dropped ? 'hand' : undefined })}">${text('return_now')}</a></div>`
}
${isFinalPayment(payment.status) && receipt(view)}`
}

/** The facts of a final payment. The buyer can print and copy them if money was taken. */
function receipt({ localizer, payment, shop }: PageView): Html {
  const { text } = localizer
  const card = [payment.customer_card_brand, payment.customer_card_mask].filter(Boolean).join(' ')
  const rows: readonly (readonly [MessageKey, string | undefined])[] = [
    ['date', localizer.dateTime(payment.captured_at ?? payment.finalized_at ?? payment.created_at)],
    ['order', truncate(payment.order_id, 200)],
    ['method', payment.method === 'any' ? undefined : localizer.method(payment.method)],
    ['paid_with', card === '' ? undefined : card],
    ['bank', payment.bank_name === undefined ? undefined : storedBankName(localizer, payment.bank_name)],
    ['rrn', payment.rrn],
    [
      'refunded_part',
      payment.amount_refunded > 0 ? localizer.money(payment.amount_refunded, payment.currency) : undefined,
    ],
  ]
  const filled = rows.filter(([, value]) => value !== undefined)
  const title = [shop, localizer.money(payment.amount, payment.currency), text(OUTCOMES[payment.status as Final].title)]
  const copied = [title.join(', '), ...filled.map(([key, value]) => `${text(key)}: ${value}`)].join('\n')
  return html`<dl class="facts receipt">${filled.map(
    ([key, value]) => html`<div><dt>${text(key)}</dt><dd><bdi>${value}</bdi></dd></div>`,
  )}</dl>
${payment.captured_at !== undefined && html`<p class="row actions"><button type="button" class="button secondary" data-print hidden>${icon('print')}${text('print')}</button><button type="button" class="button secondary" data-copy-text="${copied}" data-copied="${text('receipt_copied')}" hidden>${icon('copy')}${text('copy_receipt')}</button></p>`}`
}
