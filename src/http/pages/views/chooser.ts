// The payment methods: tiles to choose from, and tabs to choose again until the buyer pays.
import { html } from 'hono/html'
import { METHODS, PAGE_METHODS } from '../../../domain/payment-methods.ts'
import { viewForm } from './forms.ts'
import { icon } from './icons.ts'
import { acceptedCards, methodMark } from './marks.ts'
import type { Html, PageView } from './page-view.ts'

/** Shows a tile for each method. The payment keeps `any` until the buyer pays (spec 3.1). */
export function chooser(view: PageView): Html {
  const { localizer } = view
  const { text } = localizer
  const tiles = PAGE_METHODS.map(
    (method) => html`<button class="tile" name="method" value="${method}">${methodMark(method)}
<span class="tile-name">${localizer.method(method)}</span><span class="tile-hint">${localizer.hint(method)}</span>${METHODS[method].page === 'cards' && acceptedCards()}${icon('next')}</button>`,
  )
  return html`<h1>${text('choose')}</h1>
${viewForm(view, tiles, html`class="tiles"`)}`
}

/** Shows all methods as tabs in one line, if the buyer can still choose another one. */
export function methodTabs(view: PageView): Html | string {
  const { localizer, payment, method: shown, query } = view
  if (payment.method !== 'any' || shown === 'any') return ''
  const tabs = PAGE_METHODS.map(
    (method) =>
      html`<li><a href="${view.href('', { method, panel: query.panel ? 'open' : undefined })}" ${method === shown ? html`aria-current="true"` : ''}>${methodMark(method)}${localizer.shortName(method)}</a></li>`,
  )
  return html`<nav class="ways" aria-label="${localizer.text('choose')}"><ul>${tabs}</ul></nav>`
}
