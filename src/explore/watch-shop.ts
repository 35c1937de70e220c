// Compares the numbers of the whole shop with the sums of all cases that ran at the same time.
import { undefinedIfGone } from './broken-run.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { shopIssue } from './judge-money.ts'
import type { Meanings } from './learn-meanings.ts'
import { pairValues, readShop } from './read-probes.ts'
import { type Totals, totalsOf } from './story-event.ts'
import type { StoryRun } from './story-run.ts'

/** Returns whether a number of the shop changed by an amount that the events of the runs do not explain. */
export type ShopCheck = (storyRuns: readonly StoryRun[]) => Promise<boolean>

/** Reads the numbers of the shop before a group of cases runs. */
export async function watchShop(ports: ExplorePorts, meanings: Meanings): Promise<ShopCheck> {
  if (meanings.shopNumbers.size === 0) return async () => false
  // If nothing listens any more, the next message shows it.
  const before = (await undefinedIfGone(() => readShop(ports, 'once'))) ?? []
  return async (storyRuns) => {
    if (storyRuns.some(({ result }) => result.broken !== undefined)) return false
    const after = (await undefinedIfGone(() => readShop(ports, 'settled'))) ?? []
    const totals = storyRuns.map(({ enacted }) => totalsOf(enacted.events)).reduce(addTotals, NONE)
    return shopIssue(pairValues(before, after), totals, meanings) !== undefined
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
