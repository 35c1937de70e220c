// Small drawings of our own, in the colour of the text around them.
import { html } from 'hono/html'
import type { PaymentMethod } from '../../../domain/payment-methods.ts'
import type { Html } from './page-view.ts'

const PATHS = {
  sbp: 'M13 3L5 13.5h6L10.500 21 19 10.500h-6z',
  cards:
    'M3 6.5A1.5 1.5 0 014.500 5h15A1.500 1.500 0 0121 6.500v11a1.500 1.500 0 01-1.500 1.500h-15A1.500 1.500 0 013 17.500zM3 9.500h18M6.500 15h4',
  tpay: 'M5 5h14v7c0 4-3 6.500-7 8-4-1.500-7-4-7-8zM9 9h6M12 9v6',
  sberpay: 'M20 8a9 9 0 11-3.500-3.700M8 11.500l4 3 8-6.500',
  recurrent:
    'M4 12a8 8 0 0113.500-5.800L20 8.500M20 4v4.500h-4.500M20 12a8 8 0 01-13.500 5.800L4 15.500M4 20v-4.500h4.500',
  any: 'M6 12h.01M12 12h.01M18 12h.01',
  next: 'M10 7l5 5-5 5',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  cross: 'M7 7l10 10M17 7L7 17',
  clock: 'M12 7v5l3.500 2M21 12a9 9 0 11-18 0 9 9 0 0118 0z',
  back: 'M9 7l-5 5 5 5M4.500 12H15a5 5 0 010 10h-2',
  shield: 'M12 3l7.500 3v5.500c0 4.500-3 8-7.500 9.500-4.500-1.500-7.500-5-7.500-9.500V6zM9 12l2.200 2.200L15.500 10',
  flask: 'M9.500 3h5M10.500 3v6L5 18.500A1.700 1.700 0 006.500 21h11a1.700 1.700 0 001.500-2.500L13.500 9V3M8 15h8',
} as const satisfies { readonly [M in PaymentMethod]: string } & { readonly [name: string]: string }

export type IconName = keyof typeof PATHS

/** Says nothing to a screen reader: the words beside it do. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><path d="${PATHS[name]}" /></svg>`
}
