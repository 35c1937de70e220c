import { paymentsView } from './payments.tsx'
import { payoutsView } from './payouts.tsx'
import { refundsView } from './refunds.tsx'
import type { View } from './view.ts'

/** The views in the order of the navigation. The first one is shown at `/`. */
export const VIEWS: readonly View[] = [paymentsView, payoutsView, refundsView]
