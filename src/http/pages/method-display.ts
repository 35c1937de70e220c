// The name and icon of each payment method. Its colours are `.mark-<method>` in methods.css, or those of `.mark`.
import type { PageMethod, PaymentMethod } from '../../domain/payment-methods.ts'
import type { Translation } from './messages.ts'

interface MethodDisplay {
  readonly name: Translation
  /** The name for a narrow space. Default: `name`. */
  readonly short?: Translation
  /** Shown below the name when the buyer chooses a method. */
  readonly hint?: Translation
  /** The SVG path of the icon, in a box of 24 by 24. */
  readonly path: string
}

export const METHOD_DISPLAY: {
  readonly [M in PaymentMethod]: M extends PageMethod
    ? MethodDisplay & Required<Pick<MethodDisplay, 'hint'>>
    : MethodDisplay
} = {
  sbp: {
    name: ['SBP', 'СБП'],
    hint: ['QR code or bank app', 'QR-код или приложение банка'],
    path: 'M13 3L5 13.5h6L10.500 21 19 10.500h-6z',
  },
  cards: {
    name: ['Bank card', 'Банковская карта'],
    short: ['Card', 'Карта'],
    hint: ['Mir, Visa, Mastercard', 'Мир, Visa, Mastercard'],
    path: 'M3 6.5A1.5 1.5 0 014.500 5h15A1.500 1.500 0 0121 6.500v11a1.500 1.500 0 01-1.500 1.500h-15A1.500 1.500 0 013 17.500zM3 9.500h18M6.500 15h4',
  },
  tpay: {
    name: ['T-Pay', 'T-Pay'],
    hint: ['In the T-Bank app', 'В приложении Т-Банка'],
    path: 'M5 5h14v7c0 4-3 6.500-7 8-4-1.500-7-4-7-8zM9 9h6M12 9v6',
  },
  sberpay: {
    name: ['SberPay', 'SberPay'],
    hint: ['In the SberBank app', 'В приложении СберБанка'],
    path: 'M20 8a9 9 0 11-3.500-3.700M8 11.500l4 3 8-6.500',
  },
  recurrent: {
    name: ['Saved card', 'Сохранённая карта'],
    path: 'M4 12a8 8 0 0113.500-5.800L20 8.500M20 4v4.500h-4.500M20 12a8 8 0 01-13.500 5.800L4 15.500M4 20v-4.500h4.500',
  },
  any: { name: ['Not chosen yet', 'Ещё не выбран'], path: 'M6 12h.01M12 12h.01M18 12h.01' },
}
