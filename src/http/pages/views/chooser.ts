import { html } from 'hono/html'
import { PAGE_METHODS } from '../../../domain/payment-methods.ts'
import { form } from './forms.ts'
import { icon, methodIcon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'

/** Shows a tile for each method. One press selects it (spec 3.1: the method changes from `any`). */
export function chooser(view: PageView): Html {
  const { localizer } = view
  const { text } = localizer
  const tiles = PAGE_METHODS.map(
    (
      method,
    ) => html`<button class="tile" name="method" value="${method}"><span class="mark mark-${method}">${methodIcon(method)}</span>
<span class="tile-name">${localizer.method(method)}</span><span class="tile-hint">${localizer.hint(method)}</span>${icon('next')}</button>`,
  )
  return html`<h1>${text('choose')}</h1>
${form(view, 'method', tiles, 'tiles')}
<p class="quiet">${text('choose_hint')}</p>`
}
