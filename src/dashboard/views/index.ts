import { clockView } from './clock.tsx'
import { dataView } from './data.tsx'
import { endpointsView } from './endpoints.tsx'
import { eventsView } from './events.tsx'
import { paymentsView } from './payments.tsx'
import { payoutsView } from './payouts.tsx'
import { refundsView } from './refunds.tsx'
import { requestsView } from './requests.tsx'
import { shopView } from './shop.tsx'
import { simulatorView } from './simulator.tsx'
import { startView } from './start.tsx'
import type { View } from './view.ts'
import { webhooksView } from './webhooks.tsx'

/** The views in the order of the navigation. The first one is shown at `/`. */
export const VIEWS: readonly View[] = [
  paymentsView,
  payoutsView,
  refundsView,
  webhooksView,
  endpointsView,
  eventsView,
  requestsView,
  simulatorView,
  clockView,
  dataView,
  shopView,
  startView,
]
