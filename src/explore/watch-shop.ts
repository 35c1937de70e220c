// Compares the numbers of the whole shop with the sums of all cases that ran at the same time.
import { undefinedIfGone } from './broken-run.ts'
import { pairReadings, readShop } from './evaluate-case.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { type Meanings, numberChanges } from './learn-meanings.ts'
import { fieldIdOf } from './order-fields.ts'
import { isSameNumber } from './quantities.ts'
import { type Totals, totalsOf } from './story-event.ts'
import type { StoryRun } from './story-run.ts'

export interface ShopWatch {
  /** Returns whether a number of the shop changed by an amount that the events of the runs do not explain. */
  isWrong(storyRuns: readonly StoryRun[]): Promise<boolean>
}

const SHOP = { orders: { main: '', control: '' }, events: [] }

/** Reads the numbers of the shop before a group of cases runs. */
export async function watchShop(ports: ExplorePorts, meanings: Meanings): Promise<ShopWatch> {
  if (meanings.shopNumbers.size === 0) return { isWrong: async () => false }
  // If nothing listens any more, the next message shows it.
  const before = await undefinedIfGone(() => readShop(SHOP, ports, 'once'))
  if (before === undefined) return { isWrong: async () => false }
  return {
    async isWrong(storyRuns) {
      if (storyRuns.some(({ result }) => result.broken !== undefined)) return false
      const after = await undefinedIfGone(() => readShop(SHOP, ports, 'settled'))
      if (after === undefined) return false
      const shop = pairReadings(before, after)
      const totals = storyRuns.map(({ enacted }) => totalsOf(enacted.events)).reduce(addTotals, NONE)
      return shop.some(({ probe, before: was, after }) =>
        [...numberChanges(was, after)].some(([path, change]) => {
          const measures = meanings.shopNumbers.get(fieldIdOf(probe, path))
          return measures !== undefined && !measures.some((measure) => isSameNumber(measure.expected(totals), change))
        }),
      )
    },
  }
}

const NONE: Totals = { received: 0, refunded: 0, paidOut: 0, paidPayments: 0, paidOrders: 0 }

function addTotals(a: Totals, b: Totals): Totals {
  return {
    received: a.received + b.received,
    refunded: a.refunded + b.refunded,
    paidOut: a.paidOut + b.paidOut,
    paidPayments: a.paidPayments + b.paidPayments,
    paidOrders: a.paidOrders + b.paidOrders,
  }
}
