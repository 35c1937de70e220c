import { html } from 'hono/html'
import type { Html } from './page-view.ts'

/** A text in which what stands between backticks is typed as it is: no line breaks in it. */
export function inlineCode(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`
}
