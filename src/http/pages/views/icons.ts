// Icons in the colour of the surrounding text.
import { html } from 'hono/html'
import type { PaymentMethod } from '../../../domain/payment-methods.ts'
import { METHOD_DISPLAY } from '../method-display.ts'
import type { Html } from './page-view.ts'

const PATHS = {
  next: 'M10 7l5 5-5 5',
  previous: 'M14 7l-5 5 5 5',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  cross: 'M7 7l10 10M17 7L7 17',
  print: 'M7 9V3h10v6M7 18H5a2 2 0 01-2-2v-5a2 2 0 012-2h14a2 2 0 012 2v5a2 2 0 01-2 2h-2M7 14h10v7H7z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  clock: 'M12 7v5l3.500 2M21 12a9 9 0 11-18 0 9 9 0 0118 0z',
  back: 'M9 7l-5 5 5 5M4.500 12H15a5 5 0 010 10h-2',
  shield: 'M12 3l7.500 3v5.500c0 4.500-3 8-7.500 9.500-4.500-1.500-7.500-5-7.500-9.500V6zM9 12l2.200 2.200L15.500 10',
  flask: 'M9.500 3h5M10.500 3v6L5 18.500A1.700 1.700 0 006.500 21h11a1.700 1.700 0 001.500-2.500L13.500 9V3M8 15h8',
} as const

export type IconName = keyof typeof PATHS

export function icon(name: IconName): Html {
  return drawing(PATHS[name])
}

export function methodIcon(method: PaymentMethod): Html {
  return drawing(METHOD_DISPLAY[method].path)
}

/** Hidden from screen readers, because each icon has a text next to it. */
function drawing(path: string): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><path d="${path}" /></svg>`
}
