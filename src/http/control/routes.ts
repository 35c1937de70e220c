// Every route of the control API, in the order in which the documents list them.
import { actionRoutes } from './actions.ts'
import { clock } from './clock.ts'
import { deliveries } from './deliveries.ts'
import { endpoints } from './endpoints.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { importedEvents } from './imported-events.ts'
import { keys } from './keys.ts'
import { listeners } from './listeners.ts'
import { merchant } from './merchant.ts'
import { objects } from './objects.ts'
import { requests } from './requests.ts'
import { reset } from './reset.ts'
import type { ControlRoute } from './route.ts'
import { rules } from './rules.ts'
import { counts, health, openapi, stream } from './server-routes.ts'
import { settings } from './settings.ts'
import { shops } from './shops.ts'
import { snapshots } from './snapshots.ts'
import { state } from './state.ts'
import { trigger } from './trigger.ts'
import { wait } from './wait.ts'

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...health,
  ...settings,
  ...reset,
  ...snapshots,
  ...state,
  ...counts,
  ...clock,
  ...shops,
  ...keys,
  ...endpoints,
  ...objects,
  ...merchant,
  ...actionRoutes,
  ...events,
  ...wait,
  ...importedEvents,
  ...trigger,
  ...deliveries,
  ...rules,
  ...faults,
  ...requests,
  ...stream,
  ...listeners,
  ...openapi(() => CONTROL_ROUTES),
]
