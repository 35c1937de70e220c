// Payments in the app of a wallet or bank: the link to the app, and its simulated screen on the buyer's phone.
import { html } from 'hono/html'
import { findBank } from '../../../domain/bank.ts'
import { picksBank } from '../../../domain/payment-methods.ts'
import { backLink, form, refreshLink } from './forms.ts'
import { methodIcon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'
import { bankName, truncate } from './text.ts'

/** A wallet, such as T-Pay, with a link to its app. */
export function wallet(view: PageView): Html {
  const { localizer } = view
  const { text } = localizer
  const { method } = view.payment
  return html`<div class="wallet"><span class="mark mark-${method}">${methodIcon(method)}</span>
<h1>${text('wallet_title', { method: localizer.method(method) })}</h1><p class="quiet">${text('wallet_text')}</p>
<a class="button primary" href="${view.href('', { view: 'app' })}">${text('open_app', { method: localizer.method(method) })}</a>${refreshLink(view)}</div>`
}

export function appScreen(view: PageView): Html {
  const { localizer, payment, shop, query } = view
  const { text } = localizer
  const amount = localizer.money(payment.amount, payment.currency)
  return html`<section class="phone phone-${payment.method}" aria-labelledby="app-name app-title"><p class="phone-bar" id="app-name">${text('app_name', { bank: appName(view) })}</p>
<span class="mark mark-${payment.method}">${methodIcon(payment.method)}</span>
<h1 id="app-title"><bdi>${truncate(shop, 80)}</bdi></h1>
<p class="phone-amount">${amount}</p>
<p class="quiet"><bdi>${truncate(payment.description ?? payment.order_id, 140)}</bdi></p>
<div class="stack">${form(view, 'pay', html`<input type="hidden" name="bank" value="${query.bank ?? ''}"><button class="button primary">${text('app_confirm', { amount })}</button>`)}
${form(view, 'reject', html`<button class="button secondary">${text('reject')}</button>`)}</div>
</section>
${backLink(view)}`
}

function appName({ localizer, payment, query }: PageView): string {
  if (!picksBank(payment.method)) return localizer.method(payment.method)
  const bank = query.bank === undefined ? undefined : findBank(query.bank)
  return bank === undefined ? localizer.text('app_bank') : bankName(localizer, bank)
}
