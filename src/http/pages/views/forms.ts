// Forms and links of the page, which work without a script.
import { html } from 'hono/html'
import type { Html, PageView } from './page-view.ts'

/** A form that posts to a part of the page. */
export function form(view: PageView, part: string, content: Html | Html[], className = ''): Html {
  return html`<form method="post" action="${view.href(part)}" class="${className}" novalidate><input type="hidden" name="token" value="${view.token}">${content}</form>`
}

/** Without a script, the buyer reloads the page to see the current status. */
export function refreshLink(view: PageView): Html {
  return html`<noscript><p class="back"><a href="${view.href('')}">${view.localizer.text('refresh')}</a></p></noscript>`
}

export function backLink(view: PageView): Html {
  return html`<p class="back"><a href="${view.href('')}">${view.localizer.text('back')}</a></p>`
}
