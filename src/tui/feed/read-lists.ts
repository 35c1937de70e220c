// The newest pages of the control API's lists, as far back as the view keeps.
import type { Client } from '../../client/client.ts'
import { wholeList } from '../../client/whole-list.ts'
import { KEPT } from '../state/rows.ts'
import type { Lists } from '../state/take-lists.ts'

/** Deliveries come with the bytes of each attempt: no more of them than one looks through. */
const DELIVERIES = 200

const PAGE = 1000

export async function readLists({ control }: Client): Promise<Omit<Lists, 'as_of'>> {
  const { lists, deliveries, requests } = control
  const [payments, payouts, sent, asked] = await Promise.all([
    wholeList(lists.payments, { limit: KEPT.payments }),
    wholeList(lists.payouts, { limit: KEPT.payouts }),
    deliveries.list({ limit: DELIVERIES }),
    requests({ limit: PAGE }),
  ])
  return { payments, payouts, deliveries: sent.items, requests: asked.items }
}
