// Reads the lists of the control API, as many rows as the view keeps.
import type { Client } from '../../client/client.ts'
import { paginate } from '../../client/paginate.ts'
import type { Lists } from '../state/merge-lists.ts'
import { ROW_LIMITS } from '../state/rows.ts'

/** Fewer than the view keeps, because each delivery includes the bodies of its attempts. */
const MAX_DELIVERIES = 200

const MAX_REQUESTS = 1000

export async function readLists({ control }: Client): Promise<Omit<Lists, 'lastMessageId'>> {
  const { lists, deliveries, requests } = control
  const [payments, payouts, deliveryPage, requestPage] = await Promise.all([
    paginate(lists.payments, { limit: ROW_LIMITS.payments }),
    paginate(lists.payouts, { limit: ROW_LIMITS.payouts }),
    deliveries.list({ limit: MAX_DELIVERIES }),
    requests({ limit: MAX_REQUESTS }),
  ])
  return { payments, payouts, deliveries: deliveryPage.items, requests: requestPage.items }
}
