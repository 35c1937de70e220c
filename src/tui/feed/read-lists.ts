// The newest pages of the control API's lists, as far back as the view keeps.
import type { Client } from '../../client/client.ts'
import { wholeList } from '../../client/whole-list.ts'
import type { Lists } from '../state/merge-lists.ts'
import { ROW_LIMITS } from '../state/rows.ts'

/** Deliveries come with the bytes of each attempt: no more of them than one theme through. */
const MAX_DELIVERIES = 200

const MAX_REQUESTS = 1000

export async function readLists({ control }: Client): Promise<Omit<Lists, 'lastMessageId'>> {
  const { lists, deliveries, requests } = control
  const [payments, payouts, sent, asked] = await Promise.all([
    wholeList(lists.payments, { limit: ROW_LIMITS.payments }),
    wholeList(lists.payouts, { limit: ROW_LIMITS.payouts }),
    deliveries.list({ limit: MAX_DELIVERIES }),
    requests({ limit: MAX_REQUESTS }),
  ])
  return { payments, payouts, deliveries: sent.items, requests: asked.items }
}
