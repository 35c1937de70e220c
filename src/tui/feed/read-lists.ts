// The newest pages of the control API's lists, as far back as the view keeps.
import type { Client } from '../../client/client.ts'
import type { Page, PageQuery } from '../../client/control-wire.ts'
import { KEPT } from '../state/rows.ts'
import type { Lists } from '../state/take-lists.ts'

/** Deliveries come with the bytes of each attempt: no more of them than one looks through. */
const DELIVERIES = 200

const PAGE = 1000

export async function readLists({ control }: Client): Promise<Lists> {
  const { lists, deliveries, requests } = control
  const [payments, payouts, sent, asked] = await Promise.all([
    readUpTo(KEPT.payments, lists.payments),
    readUpTo(KEPT.payouts, lists.payouts),
    deliveries.list({ limit: DELIVERIES }),
    requests({ limit: PAGE }),
  ])
  return { payments, payouts, deliveries: sent.items, requests: asked.items }
}

async function readUpTo<T>(count: number, read: (query: PageQuery) => Promise<Page<T>>): Promise<readonly T[]> {
  const items: T[] = []
  let cursor: string | undefined
  while (items.length < count) {
    const page = await read({ limit: PAGE, cursor })
    items.push(...page.items)
    if (page.next_cursor === null) break
    cursor = page.next_cursor
  }
  return items.slice(0, count)
}
