// Payments in the app of a wallet or bank: the link to the app, and the simulated screen of the app.
import { html } from 'hono/html'
import { findBank } from '../../../domain/bank.ts'
import { picksBank } from '../../../domain/payment-methods.ts'
import { backLink, form, hidden, refreshLink } from './forms.ts'
import { methodMark } from './marks.ts'
import type { Html, PageView } from './page-view.ts'
import { qrCode } from './qr-code.ts'
import { amountSize, bankName, truncate } from './text.ts'

/** Renders a wallet, such as T-Pay: a QR code on a wide screen, and the link to the app of the wallet. */
export function wallet(view: PageView): Html {
  const { localizer, method } = view
  const { text } = localizer
  const name = localizer.method(method)
  return html`<div class="wallet">${methodMark(method)}
<h1>${text('wallet_title', { method: name })}</h1>
<div class="qr">${qrCode(view.url, text('qr_label'))}<p>${text('wallet_scan', { method: name })}</p></div>
<p class="quiet wallet-text">${text('wallet_text')}</p>
<a class="button primary" href="${view.href('', { view: 'app' })}">${text('open_app', { method: name })}</a>${refreshLink(view)}</div>`
}

export function appScreen(view: PageView): Html {
  const { localizer, payment, method, shop, query } = view
  const { text } = localizer
  const amount = localizer.money(payment.amount, payment.currency)
  return html`<section class="phone phone-${method}" aria-labelledby="app-name app-title"><p class="phone-bar" id="app-name">${text('app_name', { bank: appName(view) })}</p>
${methodMark(method)}
<h1 id="app-title"><bdi>${truncate(shop, 80)}</bdi></h1>
<p class="phone-amount ${amountSize(amount)}">${amount}</p>
<p class="quiet"><bdi>${truncate(payment.description ?? payment.order_id, 140)}</bdi></p>
<div class="stack">${form(view, 'pay', html`${hidden('bank', query.bank ?? '')}<button class="button primary">${text('app_confirm', { amount })}</button>`)}
${form(view, 'reject', html`<button class="button secondary">${text('reject')}</button>`)}</div>
</section>
${backLink(view)}`
}

function appName({ localizer, method, query }: PageView): string {
  if (!picksBank(method)) return localizer.method(method)
  const bank = query.bank === undefined ? undefined : findBank(query.bank)
  return bank === undefined ? localizer.text('app_bank') : bankName(localizer, bank)
}
