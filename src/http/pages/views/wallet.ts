import { html } from 'hono/html'
import { refreshLink } from './forms.ts'
import { methodIcon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'

/** A wallet, such as T-Pay, with a link to its app. */
export function wallet(view: PageView): Html {
  const { localizer } = view
  const { text } = localizer
  const { method } = view.payment
  return html`<div class="wallet"><span class="mark mark-${method}">${methodIcon(method)}</span>
<h1>${text('wallet_title', { method: localizer.method(method) })}</h1><p class="quiet">${text('wallet_text')}</p>
<a class="button primary" href="${view.href('', { view: 'app' })}">${text('open_app', { method: localizer.method(method) })}</a>${refreshLink(view)}</div>`
}
