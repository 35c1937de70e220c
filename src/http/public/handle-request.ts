// Checks a public request in the documented order: key 401, live 403, IP 403, rate 429, signature, body 400,
// idempotency, business rules. The route (404, 405) was checked earlier.
import type { Facts } from '../../domain/faults.ts'
import { requireSameState } from '../../engine/engine.ts'
import { fingerprint } from '../../engine/idempotency.ts'
import type { Exchange } from '../app-env.ts'
import { createWaitForWebhook } from '../before-response.ts'
import { jsonBody } from '../body-schema.ts'
import { startWork } from '../cancellable-work.ts'
import { dryRunServices, parseDryRunHeader } from '../dry-run.ts'
import { createApiFaults, dryRunFaults } from '../faults.ts'
import { requireAllowedIp } from '../guards/ip-allow-list.ts'
import { type Authentication, checkDevelopmentKey, createKeyGuard, requireLive } from '../guards/key.ts'
import { createRateGuard } from '../guards/rate-limit.ts'
import { idempotencyKey, simulatedPlan, singleHeader } from '../guards/request-headers.ts'
import { requireSignature } from '../guards/signature.ts'
import { bodyText, checkEncoding } from '../json-body.ts'
import { openEntry, unloggedEntry } from '../log-entry.ts'
import { readBody } from '../read-body.ts'
import type { LoggedRequest } from '../request-log.ts'
import { type SerializedResponse, STREAM_HEADERS, withDryRunHeader } from '../respond.ts'
import type { Services } from '../services.ts'
import { requestedObjectFacts } from './match-facts.ts'
import type { Call, Operation } from './operation.ts'
import { createPaymentResponseCache, type PaymentResponseCache } from './payment-response-cache.ts'
import { runOperation } from './run-operation.ts'

/** Handles one request, or throws an error that becomes an error object. */
export type RequestHandler = (c: Exchange) => SerializedResponse | Promise<SerializedResponse>

/** Created once per app, because some guards have state. */
export function createRequestHandler(services: Services): <B>(operation: Operation<B>) => RequestHandler {
  const { world } = services.engine
  const requireKey = createKeyGuard(world)
  const takeToken = createRateGuard(services.systemClock.monotonic)
  const consumeFaults = createApiFaults(services.engine, services.systemClock, services.closing)
  const serializePayment = createPaymentResponseCache()
  const waitForWebhook = createWaitForWebhook(services.engine, services.systemClock, services.closing)

  function authenticate(c: Exchange, entry: LoggedRequest, dry: boolean): Authentication {
    const authentication = requireKey(c)
    const { key, shop, merchant } = authentication
    entry.shop_id = shop.id
    entry.mode = key.mode
    entry.key_hint = key.hint
    checkDevelopmentKey(c, key, services.control)
    requireLive(authentication)
    requireAllowedIp(c, shop, world.settings.trust_proxy)
    takeToken(merchant.id, merchant.rate_limit ?? world.settings.rate_limit, dry)
    return authentication
  }

  return (operation) => (c) => {
    const dry = parseDryRunHeader(c)
    const entry = dry ? unloggedEntry(c, services) : openEntry(c, services)
    const { generation } = startWork(c, services.engine)
    const authentication = authenticate(c, entry, dry)
    const proceed = (raw: Buffer) => {
      requireSignature(c, raw, authentication.shop)
      const used = dry ? dryRunServices(services) : services
      const call = readCall(c, used, operation, entry, authentication, raw, serializePayment)
      return dry ? performDryRun(operation, call) : perform(operation, call)
    }
    const raw = readBody(c, world.settings.body_limit)
    if (!(raw instanceof Promise)) return proceed(raw)
    return raw.then((bytes) => {
      requireSameState(services.engine, generation)
      return proceed(bytes)
    })
  }

  function perform<B>(operation: Operation<B>, call: Call<B>): SerializedResponse | Promise<SerializedResponse> {
    const faults = consumeFaults(() => faultFacts(operation, call))
    if (faults === undefined) return runOperation(operation, call, undefined, waitForWebhook)
    call.entry.faults = faults.names
    call.entry.fault_ids = faults.ids
    const run = () => runOperation(operation, call, faults, waitForWebhook)
    return faults.latency === undefined ? run() : faults.latency.then(run)
  }
}

/** Ignores faults that delay the response or break the connection, because they would hide the decision. */
function performDryRun<B>(operation: Operation<B>, call: Call<B>): SerializedResponse | Promise<SerializedResponse> {
  if (operation.streams === true) {
    return { status: 200, headers: withDryRunHeader(call.exchange, STREAM_HEADERS), body: '' }
  }
  const faults = dryRunFaults(call.services.engine, () => faultFacts(operation, call))
  return runOperation(operation, call, faults)
}

function faultFacts<B>(operation: Operation<B>, call: Call<B>): Facts {
  return {
    ...requestedObjectFacts(operation, call),
    method: call.method,
    path: call.exchange.req.path,
    operation: operation.name,
    shop_id: call.shop.id,
    object_id: call.id === '' ? undefined : call.id,
  }
}

function readCall<B>(
  c: Exchange,
  services: Services,
  operation: Operation<B>,
  entry: LoggedRequest,
  authentication: Authentication,
  raw: Buffer,
  serializePayment: PaymentResponseCache,
): Call<B> {
  const { world } = services.engine
  const given_id = c.req.param('id') ?? ''
  const id = given_id.toLowerCase()
  if (id !== '') entry.object_id = id
  const { value, body } = readOperationBody(c, operation, entry, raw, world.settings.strict_body)
  const key = operation.creates ? idempotencyKey(c) : undefined
  if (key !== undefined) entry.idempotency_key = key
  return {
    key: authentication.key,
    shop: authentication.shop,
    merchant: authentication.merchant,
    caller: authentication.caller,
    services,
    world,
    exchange: c,
    method: entry.method,
    id,
    given_id,
    body,
    idempotency:
      key === undefined ? undefined : { key, fingerprint: fingerprintOf(operation, authentication, id, value) },
    plan: operation.creates ? simulatedPlan(c) : undefined,
    entry,
    serializePayment,
  }
}

function readOperationBody<B>(
  c: Exchange,
  operation: Operation<B>,
  entry: LoggedRequest,
  raw: Buffer,
  strict: boolean,
): { value: unknown; body: B } {
  const { body: schema } = operation
  if (schema === undefined) return { value: undefined, body: undefined as B }
  if (raw.length === 0 && operation.bodyOptional) {
    return { value: {}, body: schema.check({}, { strict, warnings: entry.warnings }) }
  }
  const encoding = singleHeader(c, 'Content-Encoding', 'content-encoding')
  if (encoding !== undefined) checkEncoding(encoding, 'bad_request')
  const text = bodyText(raw)
  entry.request_body = text
  return jsonBody(schema, text, singleHeader(c, 'Content-Type', 'content-type'), { strict, warnings: entry.warnings })
}

/** Spec 5.7: the fingerprint does not depend on the prefix `/api` or on the letter case of the id. */
function fingerprintOf<B>(operation: Operation<B>, { shop }: Authentication, id: string, body: unknown): string {
  const path = `/v1/public${operation.path.replace(':id', id)}`
  return fingerprint({ shop_id: shop.id, operation: operation.name, path, body })
}
