import { html } from 'hono/html'
import { form } from './forms.ts'
import { icon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'

/** The simulated page of the bank, between the card form and the result. */
export function threeDs(view: PageView): Html {
  const { localizer, payment, confirming } = view
  const { text } = localizer
  return html`<section class="phone phone-cards" aria-labelledby="three-ds-bank three-ds-title"><p class="phone-bar" id="three-ds-bank">${text('three_ds_bank')}</p>
<span class="mark mark-cards">${icon('shield')}</span>
<h1 id="three-ds-title">${text('three_ds_title')}</h1>
<p>${text('three_ds_text', { mask: confirming ?? '' })}</p>
<p class="phone-amount">${localizer.money(payment.amount, payment.currency)}</p>
${form(
  view,
  'confirm',
  html`<button class="button primary" name="answer" value="yes">${text('confirm')}</button>
<button class="button secondary" name="answer" value="no">${text('reject')}</button>`,
  'stack',
)}
</section>`
}
