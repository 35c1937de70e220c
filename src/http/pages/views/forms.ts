// Forms and links of the page, which work without a script.
import { html } from 'hono/html'
import { icon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'

/** A form that posts to a part of the page. The form contains the method while the payment's method is `any`. */
export function form(view: PageView, part: string, content: Html | Html[], className = '', id = ''): Html {
  const { payment, method } = view
  return html`<form method="post" action="${view.href(part)}" class="${className}" novalidate${id === '' ? '' : html` id="${id}"`}><input type="hidden" name="token" value="${view.formToken}">${
    payment.method === 'any' && method !== 'any' && hidden('method', method)
  }${content}</form>`
}

/** A form that leads to another view of the page. Its fields replace the query, so they repeat what must stay in it. */
export function viewForm(view: PageView, content: Html | Html[], attributes: Html, fields: Html | '' = ''): Html {
  const { localizer, query } = view
  return html`<form method="get" action="${view.href('')}" ${attributes}>${fields}${hidden('lang', localizer.language)}${
    query.panel && hidden('panel', 'open')
  }${content}</form>`
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/** Without a script, the buyer reloads the page to see the current status. */
export function refreshLink(view: PageView): Html {
  return html`<noscript><p class="back"><a href="${view.href('')}">${view.localizer.text('refresh')}</a></p></noscript>`
}

export function backLink(view: PageView): Html {
  return html`<p class="back"><a href="${view.href('')}">${icon('previous')}${view.localizer.text('back')}</a></p>`
}
