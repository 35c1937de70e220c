// The simulated page of the bank, between the card form and the result: a one-time code (3-D Secure).
import { html } from 'hono/html'
import { type OneTimeCodeResult, THREE_DS_CODES } from '../../../domain/magic.ts'
import { form } from './forms.ts'
import { icon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'
import { amountSize, truncate } from './text.ts'

export function threeDs(view: PageView): Html {
  const { localizer, payment, confirming, shop, query } = view
  const { text } = localizer
  const amount = localizer.money(payment.amount, payment.currency)
  const { notice, attemptsLeft = 0 } = confirming ?? {}
  const error = notice === undefined || notice === 'resent' ? '' : text(`code_${notice}`, { left: attemptsLeft })
  return html`<section class="phone phone-cards" aria-labelledby="three-ds-bank three-ds-title"><p class="phone-bar" id="three-ds-bank">${icon('shield')}${text('three_ds_bank')}</p>
<h1 id="three-ds-title">${text('three_ds_title')}</h1>
<p class="phone-amount ${amountSize(amount)}">${amount}</p>
<p class="quiet"><bdi>${truncate(shop, 80)}</bdi> · ${confirming?.card.mask}</p>
${notice === 'resent' && html`<p class="sent" role="status">${text('code_resent')}</p>`}
${form(
  view,
  'confirm',
  html`<p class="field"><label for="code">${text('code_label')}</label><input id="code" name="code" value="${query.code ?? ''}" inputmode="numeric" autocomplete="one-time-code" maxlength="20" dir="ltr" spellcheck="false" autofocus aria-describedby="code-error" ${error !== '' && html`aria-invalid="true"`}>
<span class="error" id="code-error" role="alert">${error}</span></p>
<button class="button primary" name="answer" value="yes">${text('confirm')}</button>
<div class="row"><button class="button secondary" name="answer" value="resend">${text('code_resend')}</button><button class="button secondary" name="answer" value="no">${text('reject')}</button></div>
<button class="plain" name="answer" value="back">${text('three_ds_back')}</button>`,
  'stack',
)}
</section>
${testCodes(view)}`
}

/** Lists the magic codes. A click fills in the code. */
function testCodes({ localizer: { text }, href }: PageView): Html {
  return html`<section class="test-codes" aria-labelledby="test-codes"><h2 id="test-codes">${icon('flask')}${text('test_codes')}</h2>
<ul>${CODE_RESULTS.map((result) => {
    const code = THREE_DS_CODES[result]
    return html`<li><a href="${href('', { code })}" data-code="${code}"><span>${code}</span><span class="plan plan-${CODE_TONES[result]}">${text(`code_is_${result}`)}</span></a></li>`
  })}</ul></section>`
}

const CODE_RESULTS = ['right', 'wrong', 'expired'] as const satisfies readonly OneTimeCodeResult[]
const CODE_TONES = { right: 'succeeded', wrong: 'failed', expired: 'other' } as const
