// The buyer's phone, played by the page: the bank's app with the payment in it.
import { html } from 'hono/html'
import { findBank } from '../../../domain/bank.ts'
import { picksBank } from '../../../domain/payment-methods.ts'
import { bankName } from './bank-name.ts'
import { clipped } from './clipped.ts'
import { back, form } from './forms.ts'
import { methodIcon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'

export function appScreen(view: PageView): Html {
  const { words, payment, shop, look } = view
  const { text } = words
  const amount = words.money(payment.amount, payment.currency)
  return html`<section class="phone phone-${payment.method}" aria-labelledby="app-name app-title"><p class="phone-bar" id="app-name">${text('app_name', { bank: appName(view) })}</p>
<span class="mark mark-${payment.method}">${methodIcon(payment.method)}</span>
<h1 id="app-title"><bdi>${clipped(shop, 80)}</bdi></h1>
<p class="phone-amount">${amount}</p>
<p class="quiet"><bdi>${clipped(payment.description ?? payment.order_id, 140)}</bdi></p>
<div class="stack">${form(view, 'pay', html`<input type="hidden" name="bank" value="${look.bank ?? ''}"><button class="button primary">${text('app_confirm', { amount })}</button>`)}
${form(view, 'reject', html`<button class="button secondary">${text('reject')}</button>`)}</div>
</section>
${back(view)}`
}

function appName({ words, payment, look }: PageView): string {
  if (!picksBank(payment.method)) return words.method(payment.method)
  const bank = look.bank === undefined ? undefined : findBank(look.bank)
  return bank === undefined ? words.text('app_bank') : bankName(words, bank)
}
