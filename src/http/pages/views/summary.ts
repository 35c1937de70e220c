// The shop, the amount, the order and the time left.
import { html } from 'hono/html'
import { isFinalPayment } from '../../../domain/payment-states.ts'
import { icon } from './icons.ts'
import { methodMark } from './marks.ts'
import type { Html, PageView } from './page-view.ts'
import { amountSize, truncate } from './text.ts'

export function summary(view: PageView): Html {
  const { localizer, payment, shop } = view
  const { text } = localizer
  const amount = localizer.money(payment.amount, payment.currency)
  return html`<header class="summary" aria-label="${text('summary')}"><div class="summary-stay">
<div class="shop"><span class="monogram" aria-hidden="true">${monogram(shop)}</span><bdi class="shop-name">${truncate(shop, 120)}</bdi>
<span class="badge badge-${payment.mode}">${text(payment.mode === 'test' ? 'test_mode' : 'live_mode')}</span></div>
<p class="amount"><span class="amount-label">${text(isFinalPayment(payment.status) ? 'amount' : 'to_pay')}</span><strong class="amount-value ${amountSize(amount)}">${amount}</strong></p>
${orderDetails(view)}
${!isFinalPayment(payment.status) && countdown(view)}
</div></header>`
}

/** A narrow window shows one line, which opens the facts. A wide window shows only the facts, see summary.css. */
function orderDetails({ localizer, payment, method }: PageView): Html {
  const { text } = localizer
  const name = method === 'any' ? undefined : localizer.method(method)
  const line = [payment.order_id, payment.description, name].filter((each) => each !== undefined)
  return html`<details class="order" data-keep="order"><summary><span class="order-line">${line.map((each, at) => html`${at > 0 && ' · '}<bdi>${truncate(each, 60)}</bdi>`)}</span>${icon('next')}</summary>
<dl class="facts">
<div><dt>${text('order')}</dt><dd><bdi>${truncate(payment.order_id, 200)}</bdi></dd></div>
${payment.description !== undefined && html`<div><dt>${text('purpose')}</dt><dd class="purpose"><bdi>${truncate(payment.description, 400)}</bdi></dd></div>`}
${name !== undefined && html`<div><dt>${text('method')}</dt><dd class="method-name">${methodMark(method)}${name}</dd></div>`}
</dl></details>`
}

/** Up to an hour, the countdown shows minutes and seconds. */
const HOUR = 3_600_000
/** If fewer ms are left, the countdown is shown as urgent. */
const SOON = 60_000

function countdown({ localizer, clock, deadline, step }: PageView): Html | string {
  if (deadline === undefined) return ''
  const left = Math.max(0, deadline - clock.now)
  return html`<p class="countdown${left < SOON ? ' soon' : ''}">${icon('clock')}<span class="countdown-label">${localizer.text(step === 'processing' ? 'bank_time_left' : 'time_left')}</span>
<time role="timer" aria-live="off" data-countdown data-hours="${localizer.text('hours')}" data-soon="${localizer.text('soon')}" datetime="PT${Math.floor(left / 1000)}S">${
    left > HOUR ? `${Math.round(left / HOUR)}\u00a0${localizer.text('hours')}` : clockText(left)
  }</time></p>`
}

/** Formats ms as `19:58`, or as `60:00` for an hour. */
function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

function monogram(name: string): string {
  return /[\p{L}\p{N}]/u.exec(truncate(name, 80))?.[0]?.toUpperCase() ?? '₽'
}
