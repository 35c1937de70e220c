import { html } from 'hono/html'
import type { Html } from './page-view.ts'

/** Renders text between backticks as `<code>`, which has no line breaks. */
export function inlineCode(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`
}
