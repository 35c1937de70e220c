import { ClockPage } from './clock.tsx'
import { Data } from './data.tsx'
import { Endpoints } from './endpoints.tsx'
import { Events } from './events.tsx'
import { Payments } from './payments.tsx'
import { Payouts } from './payouts.tsx'
import { Refunds } from './refunds.tsx'
import { Requests } from './requests.tsx'
import { ShopPage } from './shop.tsx'
import { Simulator } from './simulator.tsx'
import { Start } from './start.tsx'
import type { View } from './view.ts'
import { Webhooks } from './webhooks.tsx'

/** The views in the order of the navigation. The first one is shown at `/`. */
export const VIEWS: readonly View[] = [
  { name: 'payments', letter: 'p', title: 'payments', icon: 'payments', component: Payments },
  { name: 'payouts', letter: 'o', title: 'payouts', icon: 'payouts', component: Payouts },
  { name: 'refunds', letter: 'r', title: 'refunds', icon: 'refunds', component: Refunds },
  { name: 'webhooks', letter: 'w', title: 'webhooks', icon: 'webhook', component: Webhooks },
  { name: 'endpoints', letter: 'e', title: 'endpoints', icon: 'endpoint', component: Endpoints },
  { name: 'events', letter: 'v', title: 'events', icon: 'event', component: Events },
  { name: 'requests', letter: 'q', title: 'requests', icon: 'list', component: Requests },
  { name: 'simulator', letter: 's', title: 'simulator', icon: 'sliders', component: Simulator },
  { name: 'clock', letter: 'c', title: 'clock', icon: 'clock', component: ClockPage },
  { name: 'data', letter: 'd', title: 'data', icon: 'data', component: Data },
  { name: 'shop', letter: 't', title: 'shop_title', icon: 'shop', component: ShopPage },
  { name: 'start', letter: 'h', title: 'start', icon: 'start', component: Start },
]
