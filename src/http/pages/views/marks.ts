// Marks of payment methods and card systems in colour. They are drawn for this page and are not their owners' logos.
import { html, raw } from 'hono/html'
import type { PaymentMethod } from '../../../domain/payment-methods.ts'
import { methodIcon } from './icons.ts'
import type { Html } from './page-view.ts'

/** Six facets around a centre. */
const SBP = [
  ['#6d4ae0', '12 2 20.7 7 12 12'],
  ['#d93a86', '20.7 7 20.7 17 12 12'],
  ['#f07f23', '20.7 17 12 22 12 12'],
  ['#f5bd1f', '12 22 3.300 17 12 12'],
  ['#37a94b', '3.300 17 3.300 7 12 12'],
  ['#1b8ae0', '3.300 7 12 2 12 12'],
]
  .map(([fill, points]) => `<polygon fill="${fill}" points="${points}"/>`)
  .join('')

/** The card systems of the page, as drawings in a box of 36 by 24. */
const CARD_SYSTEMS = {
  Мир: '<g fill="none" stroke-width="2.400" stroke="#1c8f4b"><path d="M4 17V8l3.500 5.500L11 8v9M14.500 8v9l6-9v9"/><path stroke="#1473c4" d="M24.500 17V8h5a2.700 2.700 0 010 5.400h-5"/></g>',
  Visa: '<g fill="none" stroke="#2a43b8" stroke-width="2.300" transform="translate(3.500) skewX(-12)"><path d="M5 7.500L8 17l3.500-9.500M14.500 7.500V17M23 9c-1.200-1.500-4.800-1.800-4.800.8 0 2.400 4.800 2 4.800 4.600 0 2.800-4 2.500-5.200.9M25.500 17L29 7.500 32 17M27 14h4"/></g>',
  Mastercard:
    '<circle cx="13.500" cy="12" r="7" fill="#e3182d"/><circle cx="22.500" cy="12" r="7" fill="#f59e1a"/><path fill="#f0611a" d="M18 6.640a7 7 0 010 10.720 7 7 0 010-10.720z"/>',
} as const

export function methodMark(method: PaymentMethod): Html {
  return html`<span class="mark mark-${method}">${
    method === 'sbp'
      ? raw(
          `<svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">${SBP}</svg>`,
        )
      : methodIcon(method)
  }</span>`
}

/** The marks of the accepted card systems. For a typed number, the script hides the marks of the others. */
export function acceptedCards(): Html {
  return html`<span class="systems" aria-hidden="true">${Object.entries(CARD_SYSTEMS).map(([name, drawing]) =>
    raw(
      `<svg class="system" data-system="${name}" viewBox="0 0 36 24" width="36" height="24" focusable="false">${drawing}</svg>`,
    ),
  )}</span>`
}
