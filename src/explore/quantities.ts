// The sums and counts that a number in the shop may represent. Simple stories show which of them fit. In longer
// stories, the number must equal one of those that fit.
import type { Totals } from './story-event.ts'

interface Quantity {
  readonly id: string
  /** True for an amount, which may be in minor or in major units. False for a count. */
  readonly isMoney: boolean
  of(totals: Totals): number
}

const QUANTITIES = [
  { id: 'received minus refunded', isMoney: true, of: ({ received, refunded }) => received - refunded },
  {
    id: 'received minus refunded and paid out',
    isMoney: true,
    of: ({ received, refunded, paidOut }) => received - refunded - paidOut,
  },
  { id: 'received', isMoney: true, of: ({ received }) => received },
  { id: 'refunded', isMoney: true, of: ({ refunded }) => refunded },
  { id: 'paid out', isMoney: true, of: ({ paidOut }) => paidOut },
  { id: 'number of paid orders', isMoney: false, of: ({ paidOrders }) => paidOrders },
  { id: 'number of paid payments', isMoney: false, of: ({ paidPayments }) => paidPayments },
] as const satisfies readonly Quantity[]

/** A quantity with a sign and a unit: minor or major units. */
export interface Measure {
  readonly id: string
  readonly isMoney: boolean
  readonly factor: number
  expected(totals: Totals): number
}

const FACTORS = [1, 0.01, -1, -0.01] as const

const MEASURES: readonly Measure[] = QUANTITIES.flatMap(({ id, isMoney, of }) =>
  (isMoney ? FACTORS : [1]).map((factor) => ({
    id,
    isMoney,
    factor,
    expected: (totals: Totals) => factor * of(totals),
  })),
)

/** Compares amounts without floating-point errors. */
export function isSameNumber(left: number, right: number): boolean {
  return Math.abs(left - right) < 0.005
}

/** Returns whether the value is that of one of the measures. */
export function fitsOne(measures: readonly Measure[], totals: Totals, value: number): boolean {
  return measures.some((measure) => isSameNumber(measure.expected(totals), value))
}

/** Returns the measures that fit every sample. If all samples are 0, they say nothing, so there is no measure. */
export function fittingMeasures(samples: readonly { readonly totals: Totals; readonly value: number }[]): Measure[] {
  if (samples.every(({ value }) => isSameNumber(value, 0))) return []
  return MEASURES.filter((measure) => samples.every(({ totals, value }) => fitsOne([measure], totals, value)))
}
