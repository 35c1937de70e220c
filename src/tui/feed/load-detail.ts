// Fetches the detail of the selected row: its events, its deliveries with their bodies, the bodies of its request.
import type { Client } from '../../client/client.ts'
import type { LoadedDetail } from '../state/action.ts'
import type { PaneName } from '../state/rows.ts'

/** The maximum number of events and of deliveries shown. Each delivery has up to nine attempts with their bodies. */
const MAX_ITEMS = 20

export async function loadDetail({ control }: Client, pane: PaneName, id: string): Promise<LoadedDetail> {
  switch (pane) {
    case 'payments':
    case 'payouts': {
      const [events, deliveries] = await Promise.all([
        control.events.list({ object_id: id, limit: MAX_ITEMS }),
        control.deliveries.list({ object_id: id, limit: MAX_ITEMS }),
      ])
      return { events: events.items, deliveries: deliveries.items, request: undefined }
    }
    case 'deliveries':
      return { events: [], deliveries: [await control.deliveries.get(id)], request: undefined }
    case 'requests': {
      const { items } = await control.requests({ limit: 1000 })
      return { events: [], deliveries: [], request: items.find((request) => String(request.id) === id) }
    }
    case 'stream':
      return { events: [], deliveries: [], request: undefined }
  }
}
