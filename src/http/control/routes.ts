// Every route of the control API, in the order in which the documents list them.
import { actionRoutes } from './actions.ts'
import { clockRoutes } from './clock.ts'
import { deliveryRoutes } from './deliveries.ts'
import { endpointRoutes } from './endpoints.ts'
import { eventRoutes } from './events.ts'
import { faultRoutes } from './faults.ts'
import { importedEventRoutes } from './imported-events.ts'
import { keyRoutes } from './keys.ts'
import { listenerRoutes } from './listeners.ts'
import { objectRoutes } from './objects.ts'
import { requestRoutes } from './requests.ts'
import { resetRoutes } from './reset.ts'
import type { ControlRoute } from './route.ts'
import { ruleRoutes } from './rules.ts'
import { countRoutes, healthRoutes, openapiRoutes, streamRoutes } from './server-routes.ts'
import { settingsRoutes } from './settings.ts'
import { shopOperationRoutes } from './shop-operations.ts'
import { shopRoutes } from './shops.ts'
import { snapshotRoutes } from './snapshots.ts'
import { stateRoutes } from './state.ts'
import { triggerRoutes } from './trigger.ts'
import { waitRoutes } from './wait.ts'

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...healthRoutes,
  ...settingsRoutes,
  ...resetRoutes,
  ...snapshotRoutes,
  ...stateRoutes,
  ...countRoutes,
  ...clockRoutes,
  ...shopRoutes,
  ...keyRoutes,
  ...endpointRoutes,
  ...objectRoutes,
  ...shopOperationRoutes,
  ...actionRoutes,
  ...eventRoutes,
  ...waitRoutes,
  ...importedEventRoutes,
  ...triggerRoutes,
  ...deliveryRoutes,
  ...ruleRoutes,
  ...faultRoutes,
  ...requestRoutes,
  ...streamRoutes,
  ...listenerRoutes,
  ...openapiRoutes(() => CONTROL_ROUTES),
]
