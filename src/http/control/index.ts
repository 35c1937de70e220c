// The control API, `/_psp/…`: it stands for the dashboard and the simulator's controls.
import type { Handler, Hono } from 'hono'
import type { AppContext, AppEnv } from '../app-env.ts'
import { invalid } from '../body-shape.ts'
import { bodyText, parseJson } from '../json-body.ts'
import { openEntry } from '../log-entry.ts'
import { readBody } from '../read-body.ts'
import { log, send } from '../respond.ts'
import type { Services } from '../services.ts'
import { acts } from './acts.ts'
import { clock } from './clock.ts'
import { deliveries } from './deliveries.ts'
import { endpoints } from './endpoints.ts'
import { events } from './events.ts'
import { requireControl } from './guard.ts'
import { health } from './health.ts'
import { listeners } from './listeners.ts'
import { objects } from './objects.ts'
import { orders } from './orders.ts'
import { requests } from './requests.ts'
import type { ControlAnswer, ControlRoute } from './route.ts'
import { settings } from './settings.ts'
import { shops } from './shops.ts'
import { store } from './store.ts'
import { stream } from './stream.ts'
import { trigger } from './trigger.ts'

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...health,
  ...settings,
  ...store,
  ...clock,
  ...shops,
  ...endpoints,
  ...objects,
  ...acts,
  ...events,
  ...trigger,
  ...deliveries,
  ...orders,
  ...requests,
  ...stream,
  ...listeners,
]

export const CONTROL_PREFIX = '/_psp'

/** Bodies of import and of scenarios hold whole states. */
const BULK_LIMIT = 1024 * 1024 * 1024

/** Handlers stand at exact paths: one that matches elsewhere would slow every public call. */
export function mountControl(app: Hono<AppEnv>, services: Services): void {
  for (const route of CONTROL_ROUTES) app.on(route.method, `${CONTROL_PREFIX}${route.path}`, serve(route, services))
}

/** Unknown paths pass the guard as well: a stranger learns nothing of them. */
export function guardUnknown(c: AppContext, services: Services): void {
  if (c.req.path.startsWith(`${CONTROL_PREFIX}/`)) requireControl(c, services.control)
}

function serve(route: ControlRoute, services: Services): Handler<AppEnv> {
  return async (c) => {
    requireControl(c, services.control)
    if (route.method !== 'GET') openEntry(c, services)
    const answer = await route.run({
      c,
      services,
      world: services.engine.world,
      body: route.body === undefined ? undefined : await readJson(c, route, services),
      query: route.query === undefined ? undefined : checked(route.query, c.req.query()),
      param: (name) => c.req.param(name) ?? '',
    })
    return respond(c, services, answer)
  }
}

async function readJson(c: AppContext, route: ControlRoute, services: Services): Promise<unknown> {
  const raw = await readBody(c, route.bulk ? BULK_LIMIT : services.engine.world.settings.body_limit)
  if (raw.length === 0 && route.bodyOptional) return checked(route.body, {})
  return checked(route.body, parseJson(bodyText(raw)))
}

function checked(schema: ControlRoute['body'], value: unknown): unknown {
  const result = (schema as NonNullable<typeof schema>).safeParse(value)
  if (!result.success) throw invalid(result.error.issues, value)
  return result.data
}

function respond(c: AppContext, services: Services, answer: ControlAnswer): Response {
  if (answer.stream !== undefined) {
    const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }
    return new Response(answer.stream, { status: answer.status, headers })
  }
  if (answer.body !== undefined) return send(c, services, { status: answer.status, body: answer.body })
  log(c, services, answer)
  return new Response(null, { status: answer.status })
}
