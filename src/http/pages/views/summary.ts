// The shop, the amount, the order and the time left.
import { html } from 'hono/html'
import { isFinalPayment } from '../../../domain/payment-states.ts'
import { icon, methodIcon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'
import { truncate } from './text.ts'

export function summary(view: PageView): Html {
  const { localizer, payment, shop } = view
  const { text } = localizer
  return html`<header class="summary" aria-label="${text('summary')}"><div class="summary-stay">
<div class="shop"><span class="monogram" aria-hidden="true">${monogram(shop)}</span><bdi class="shop-name">${truncate(shop, 120)}</bdi>
<span class="badge badge-${payment.mode}">${text(payment.mode === 'test' ? 'test_mode' : 'live_mode')}</span></div>
<p class="amount"><span class="amount-label">${text(isFinalPayment(payment.status) ? 'amount' : 'to_pay')}</span><strong class="amount-value">${localizer.money(payment.amount, payment.currency)}</strong></p>
<dl class="facts">
<div><dt>${text('order')}</dt><dd><bdi>${truncate(payment.order_id, 200)}</bdi></dd></div>
${payment.description !== undefined && html`<div><dt>${text('purpose')}</dt><dd class="purpose"><bdi>${truncate(payment.description, 400)}</bdi></dd></div>`}
${payment.method !== 'any' && html`<div><dt>${text('method')}</dt><dd class="method-name">${methodIcon(payment.method)}${localizer.method(payment.method)}</dd></div>`}
</dl>
${!isFinalPayment(payment.status) && countdown(view)}
</div></header>`
}

/** ms left from which the countdown is shown as urgent. */
const SOON = 60_000

function countdown({ localizer, clock, deadline, step }: PageView): Html | string {
  if (deadline === undefined) return ''
  const left = Math.max(0, deadline - clock.now)
  return html`<p class="countdown${left < SOON ? ' soon' : ''}">${icon('clock')}<span>${localizer.text(step === 'processing' ? 'bank_time_left' : 'time_left')}</span>
<time role="timer" aria-live="off" data-countdown data-soon="${localizer.text('soon')}" datetime="PT${Math.floor(left / 1000)}S">${clockText(left)}</time></p>`
}

/** Formats ms as `23:59:59` or `19:58`. */
function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  if (parts[0] === 0) parts.shift()
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

function monogram(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0]?.toUpperCase() ?? '₽'
}
