// The control API, `/_psp/…`, which does what the dashboard of the real service does, and controls the simulator. Its
// requests are not logged, because the request log is about the requests of shops.
import type { Handler, Hono } from 'hono'
import { type NumberLiterals, numberLiterals } from '../../domain/number-literals.ts'
import { requireSameState } from '../../engine/engine.ts'
import type { AppContext, AppEnv } from '../app-env.ts'
import { awaitWrites, type OperationKind } from '../await-writes.ts'
import { startWork } from '../cancellable-work.ts'
import { dryRunServices, parseDryRunHeader } from '../dry-run.ts'
import { seeksHealth } from '../guards/not-found.ts'
import { bodyText, parseJson } from '../json-body.ts'
import { bodyChunks, IMPORT_LIMIT, LARGE_BODY_LIMIT, readBody } from '../read-body.ts'
import { JSON_HEADERS, respond, STREAM_HEADERS, serializeStream, toResponse, withDryRunHeader } from '../respond.ts'
import type { Services } from '../services.ts'
import { type ControlRole, isAnonymous, requireControl, requireOwnNames, requirePermission } from './guard.ts'
import { validate } from './input.ts'
import type { ControlCall, ControlResponse, ControlRoute } from './route.ts'
import { CONTROL_ROUTES } from './routes.ts'

const CONTROL_PREFIX = '/_psp'

/** Every body may have this many bytes, even if the setting `body_limit` is lower. */
const MIN_BODY_LIMIT = 2 * 1024 * 1024

/** Mounts handlers at exact paths. A pattern that matches other paths would slow each public request. */
export function mountControl(app: Hono<AppEnv>, services: Services): void {
  for (const route of CONTROL_ROUTES)
    app.on(route.method, `${CONTROL_PREFIX}${route.path}`, createHandler(route, services))
}

/**
 * Guards unknown paths too, so that callers without access cannot discover paths. A path such as `/_psp/healthz` is
 * exempt: the 404 response to it names the health route.
 */
export function guardUnknownPath(c: AppContext, services: Services): void {
  const { path } = c.req
  if (path.startsWith(`${CONTROL_PREFIX}/`) && !seeksHealth(path)) requireControl(c, services.control)
}

function createHandler(route: ControlRoute, real: Services): Handler<AppEnv> {
  const isStream = Object.values(route.responses).includes('stream')
  return async (c) => {
    const { run, role } = authorize(c, route, real)
    const dry = parseDryRunHeader(c)
    const services = dry ? dryRunServices(real) : real
    const { engine } = services
    const work = startWork(c, engine)
    const checkState = () => requireSameState(engine, work.generation)
    const query = route.query === undefined ? undefined : validate(route.query, queryOf(c))
    // A HEAD request or a dry run must not replace the stream of a listener.
    if (isStream && (dry || c.req.method === 'HEAD'))
      return new Response(null, { headers: withDryRunHeader(c, STREAM_HEADERS) })
    const { body } = route
    const read = body === undefined ? { body } : await readJson(c, route, body, services)
    // A reset is valid even if another reset replaced the state in the meantime.
    if (route.name !== 'reset') checkState()
    const call = {
      c,
      services,
      world: engine.world,
      work,
      role,
      requireSameState: checkState,
      ...read,
      chunks: () => bodyChunks(c, services.systemClock, IMPORT_LIMIT),
      query,
      param: (name: string) => c.req.param(name) ?? '',
    }
    // Streams send only written commits, so they need not wait.
    if (isStream) return controlResponse(c, services, await run(call))
    return controlResponse(
      c,
      services,
      await awaitWrites(engine, operationKindOf(route), () => runOnState(route, call, run)),
    )
  }
}

/** The response must be based on the state at the start of the request, or on a state that the route set. */
async function runOnState(route: ControlRoute, call: ControlCall, run: ControlRoute['run']): Promise<ControlResponse> {
  try {
    return await run(call)
  } finally {
    if (route.replacesState === true) call.work.generation = call.services.engine.generation
    else if (route.method !== 'GET' && route.survivesReset !== true) call.requireSameState()
  }
}

/**
 * Returns the function to run for this caller.
 * @throws RefusalError like {@link requireControl}
 */
function authorize(
  c: AppContext,
  route: ControlRoute,
  { control }: Services,
): { readonly run: ControlRoute['run']; readonly role: ControlRole } {
  const { run, anonymous } = route
  if (anonymous !== undefined && isAnonymous(c, control)) {
    requireOwnNames(c, control)
    return { run: anonymous, role: 'view' }
  }
  const role = requireControl(c, control)
  requirePermission(role, route, route.ownerOnly === true)
  return { run, role }
}

function operationKindOf({ method, isLongChange }: ControlRoute): OperationKind {
  if (method === 'GET') return 'read'
  return isLongChange === true ? 'long_change' : 'change'
}

async function readJson(
  c: AppContext,
  { largeBody, bodyOptional }: ControlRoute,
  schema: NonNullable<ControlRoute['body']>,
  services: Services,
): Promise<{ body: unknown; numbers?: NumberLiterals }> {
  const limit = largeBody ? LARGE_BODY_LIMIT : Math.max(services.engine.world.settings.body_limit, MIN_BODY_LIMIT)
  const raw = await readBody(c, limit)
  if (raw.length === 0 && bodyOptional) return { body: validate(schema, {}) }
  const text = bodyText(raw)
  const numbers = numberLiterals(text)
  return { body: validate(schema, parseJson(text), numbers), numbers }
}

/** Parses the query, because Hono's parser drops `__proto__`. If a parameter is repeated, its first value counts. */
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
    const nextTurn = () => new Promise<void>((resolve) => services.systemClock.nextTurn(resolve))
    return new Response(chunkStream(chunks, nextTurn), { status, headers: withDryRunHeader(c, JSON_HEADERS) })
  }
  if (text !== undefined) return respond(c, services, { status, body, text })
  return body === undefined
    ? new Response(null, { status, headers: withDryRunHeader(c, {}) })
    : respond(c, services, { status, body })
}

/** Creates a chunk only when the client reads. Before each chunk, `nextTurn` yields to the event loop. */
function chunkStream(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  nextTurn: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const iterator = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        await nextTurn()
        const { done, value } = await iterator.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
