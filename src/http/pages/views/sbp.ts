// SBP: a QR code on a wide screen, and a list of banks on a phone.
import { html } from 'hono/html'
import { bankDirectory, searchBanks } from '../../../domain/bank.ts'
import { hidden, refreshLink, viewForm } from './forms.ts'
import type { Html, PageView } from './page-view.ts'
import { qrCode } from './qr-code.ts'
import { bankName } from './text.ts'

export function sbp(view: PageView): Html {
  const { text } = view.localizer
  return html`<h1>${text('sbp_title')}</h1>
<div class="sbp">
<div class="qr">${qrCode(view.url, text('qr_label'))}<p>${text('sbp_scan')}</p></div>
<a class="button primary" href="${view.href('', { view: 'app' })}">${text('pay_in_bank')}</a>
${banks(view)}
<p class="copy"><label for="link">${text('link')}</label><span class="row"><input id="link" readonly value="${view.url}" dir="ltr"><button type="button" class="button secondary" data-copy="link" data-copied="${text('copied')}" hidden>${text('copy')}</button></span></p>
${refreshLink(view)}
</div>`
}

function banks(view: PageView): Html {
  const { localizer, query } = view
  const { text } = localizer
  const found = query.search === undefined ? bankDirectory('top30') : searchBanks(query.search)
  const order = new Intl.Collator(localizer.language)
  const banks = found.toSorted((a, b) => order.compare(bankName(localizer, a), bankName(localizer, b)))
  return html`<section class="banks" aria-labelledby="banks-title"><h2 id="banks-title">${text('banks')}</h2>
${viewForm(
  view,
  html`<label class="unseen" for="bank-search">${text('bank_search')}</label>
<input id="bank-search" name="q" type="search" value="${query.search ?? ''}" placeholder="${text('bank_search')}" autocomplete="off" data-bank-search data-found="${text('banks_found')}" data-none="${text('banks_none')}"><button class="button secondary" data-without-script>${text('find')}</button>`,
  html`role="search" class="row"`,
  view.payment.method === 'any' ? hidden('method', view.method) : '',
)}
${banks.length === 0 && html`<p class="banks-none">${text('banks_none')}</p>`}
<ul class="bank-list">${banks.map((bank) => {
    const name = bankName(localizer, bank)
    return html`<li data-bank="${bank.name} ${bank.name_en}"><a href="${view.href('', { view: 'app', bank: bank.member_id })}"><span class="bank-mark" aria-hidden="true">${Array.from(name)[0]}</span>${name}</a></li>`
  })}</ul></section>`
}
