// The control API, `/_psp/…`: it stands for the dashboard and the simulator's controls. Its own calls are in no request
// log: that one shows what the shop's program does.
import { constants } from 'node:buffer'
import type { Handler, Hono } from 'hono'
import { type WrittenNumbers, writtenNumbers } from '../../domain/written-numbers.ts'
import { requireSameState } from '../../engine/same-state.ts'
import type { AppContext, AppEnv } from '../app-env.ts'
import { awaitDurability, type Isolation } from '../await-durability.ts'
import { startWork } from '../cancellable-work.ts'
import { asksForDryRun, dryRunServices } from '../dry-run.ts'
import { seeksHealth } from '../guards/route.ts'
import { bodyText, parseJson } from '../json-body.ts'
import { bodyChunks, readBody } from '../read-body.ts'
import { JSON_HEADERS, marked, respond, STREAM_HEADERS, serializeStream, toResponse } from '../respond.ts'
import type { Services } from '../services.ts'
import { isAnonymous, requireControl, requireOwnNames } from './guard.ts'
import { validate } from './input.ts'
import { chunkStream } from './json-stream.ts'
import type { ControlCall, ControlResponse, ControlRoute } from './route.ts'
import { CONTROL_ROUTES } from './routes.ts'

const CONTROL_PREFIX = '/_psp'

/** Bytes of a body that is no whole state, however low the setting `body_limit` is. */
const LEAST_LIMIT = 2 * 1024 * 1024

/** Handlers stand at exact paths: one that matches elsewhere would slow every public call. */
export function mountControl(app: Hono<AppEnv>, services: Services): void {
  for (const route of CONTROL_ROUTES)
    app.on(route.method, `${CONTROL_PREFIX}${route.path}`, createHandler(route, services))
}

/** Guards unknown paths too, so that a stranger learns nothing about them. A probe may be led to the health route. */
export function guardUnknown(c: AppContext, services: Services): void {
  const { path } = c.req
  if (path.startsWith(`${CONTROL_PREFIX}/`) && !seeksHealth(path)) requireControl(c, services.control)
}

function createHandler(route: ControlRoute, real: Services): Handler<AppEnv> {
  const streams = Object.values(route.responses).includes('stream')
  return async (c) => {
    const run = authorize(c, route, real)
    const dry = asksForDryRun(c)
    const services = dry ? dryRunServices(real) : real
    const { engine } = services
    const work = startWork(c, engine)
    const checkState = () => requireSameState(engine, work.generation)
    const query = route.query === undefined ? undefined : validate(route.query, queryOf(c))
    // A stream that nobody reads must not take a listener's place.
    if (streams && (dry || c.req.method === 'HEAD')) return new Response(null, { headers: marked(c, STREAM_HEADERS) })
    const { body } = route
    const read =
      body === undefined || route.readsChunks ? { body: undefined } : await readJson(c, route, body, services)
    // A reset asks for the state that another one brought meanwhile.
    if (route.name !== 'reset') checkState()
    const call = {
      c,
      services,
      world: engine.world,
      work,
      requireSameState: checkState,
      ...read,
      chunks: () => bodyChunks(c, services.systemClock),
      query,
      param: (name: string) => c.req.param(name) ?? '',
    }
    // What a stream tells waits by itself.
    if (streams) return controlResponse(c, services, await run(call))
    return controlResponse(
      c,
      services,
      await awaitDurability(engine, isolationOf(route), () => runOnState(route, call, run)),
    )
  }
}

/** Runs a route. What it returns must be of the state that the request began with, or of one that the route brought. */
async function runOnState(route: ControlRoute, call: ControlCall, run: ControlRoute['run']): Promise<ControlResponse> {
  try {
    return await run(call)
  } finally {
    if (route.replacesState === true) call.work.generation = call.services.engine.generation
    else if (route.method !== 'GET' && route.survivesReset !== true) call.requireSameState()
  }
}

/** Returns what the route does for this caller. @throws RefusalError as {@link requireControl} does */
function authorize(c: AppContext, { run, anonymous }: ControlRoute, { control }: Services): ControlRoute['run'] {
  if (anonymous !== undefined && isAnonymous(c, control)) {
    requireOwnNames(c, control)
    return anonymous
  }
  requireControl(c, control)
  return run
}

function isolationOf({ method, waits }: ControlRoute): Isolation {
  if (method === 'GET') return 'read'
  return waits === true ? 'long_change' : 'change'
}

async function readJson(
  c: AppContext,
  { largeBody: bulk, bodyOptional }: ControlRoute,
  schema: NonNullable<ControlRoute['body']>,
  services: Services,
): Promise<{ body: unknown; numbers?: WrittenNumbers }> {
  const limit = bulk ? constants.MAX_STRING_LENGTH : Math.max(services.engine.world.settings.body_limit, LEAST_LIMIT)
  const raw = await readBody(c, limit)
  if (raw.length === 0 && bodyOptional) return { body: validate(schema, {}) }
  const text = bodyText(raw)
  const numbers = writtenNumbers(text)
  return { body: validate(schema, parseJson(text), numbers), numbers }
}

/** Hono's own object of the query swallows `__proto__`. The first of several counts. */
function queryOf(c: AppContext): Record<string, string> {
  const { searchParams } = new URL(c.req.url)
  return Object.fromEntries([...searchParams].reverse())
}

function controlResponse(
  c: AppContext,
  services: Services,
  { status, body, text, stream, chunks }: ControlResponse,
): Response {
  if (stream !== undefined) return toResponse(serializeStream(c, services, { status, headers: STREAM_HEADERS }, stream))
  if (chunks !== undefined) {
    const turn = () => new Promise<void>((resolve) => services.systemClock.nextTurn(resolve))
    return new Response(chunkStream(chunks, turn), { status, headers: marked(c, JSON_HEADERS) })
  }
  if (text !== undefined) return respond(c, services, { status, body, text })
  return body === undefined
    ? new Response(null, { status, headers: marked(c, {}) })
    : respond(c, services, { status, body })
}
