// Runs an operation and brings its answer to the caller, or breaks the connection where the simulator says so.
import { type ApiErrorCode, RefusalError } from '../../domain/errors.ts'
import { requireSameState } from '../../engine/same-state.ts'
import type { Exchange } from '../app-env.ts'
import { awaitDurability } from '../await-durability.ts'
import type { BeforeResponse } from '../before-response.ts'
import { ConnectionAbortedError } from '../connection-aborted.ts'
import { errorObject, errorResponse } from '../errors.ts'
import type { ApiFaults } from '../faults.ts'
import { type ApiResponse, headersOf, log, type SerializedResponse, serialize, serializeStream } from '../respond.ts'
import type { Call, Operation, OperationResult } from './operation.ts'

export type RunOperation = <B>(
  c: Exchange,
  call: Call<B>,
  operation: Operation<B>,
  faults: ApiFaults | undefined,
) => SerializedResponse | Promise<SerializedResponse>

/** @param beforeResponse what an answer waits for, after everything was stored */
export function createRunOperation(beforeResponse: BeforeResponse): RunOperation {
  return (c, call, operation, faults) => {
    const { services, shop, entry } = call
    const { engine } = services
    const { generation } = engine
    if (faults?.status !== undefined) {
      const refusal = statusFaultResponse(faults.status)
      const counted = engine.written()
      return counted === undefined
        ? serialize(c, services, refusal)
        : counted.then(() => serialize(c, services, refusal))
    }
    const outcome = resultOf(call, operation, faults)
    const stored = engine.written()
    const told = beforeResponse(operation.name, entry.object_id ?? '', shop.id)
    // A stream says nothing yet.
    if ((stored === undefined && told === undefined) || outcome.stream !== undefined) {
      return respondAfterDelay(c, call, outcome, faults)
    }
    /** After a wait: the object may be gone that the response would show. */
    const answerLater = () => {
      requireSameState(engine, generation)
      return respondAfterDelay(c, call, outcome, faults)
    }
    if (told !== undefined) return Promise.all([stored, told]).then(answerLater)
    return (stored as Promise<void>).then(answerLater, (refused: unknown) =>
      repeatRead(c, call, operation, faults, refused),
    )
  }
}

/** A read that saw what the disk then refused is made again: it says what holds. */
async function repeatRead<B>(
  c: Exchange,
  call: Call<B>,
  operation: Operation<B>,
  faults: ApiFaults | undefined,
  refused: unknown,
): Promise<SerializedResponse> {
  if (operation.method !== 'GET') throw refused
  const outcome = await awaitDurability(call.services.engine, 'read', () => resultOf(call, operation, faults))
  return respondAfterDelay(c, call, outcome, faults)
}

/** A refusal is an answer too, which a fault may hold, cut or break off. */
function resultOf<B>(call: Call<B>, operation: Operation<B>, faults: ApiFaults | undefined): OperationResult {
  if (faults?.abort === undefined && faults?.delayResponse === undefined) return operation.run(call)
  try {
    return operation.run(call)
  } catch (error) {
    if (error instanceof RefusalError && error.decided_by !== undefined) call.entry.decided_by = error.decided_by
    return errorResponse(error, call.services)
  }
}

function respondAfterDelay<B>(
  c: Exchange,
  call: Call<B>,
  outcome: OperationResult,
  faults: ApiFaults | undefined,
): SerializedResponse | Promise<SerializedResponse> {
  if (faults?.delayResponse === undefined) return respondOrAbort(c, call, outcome, faults)
  return faults.delayResponse().then(() => respondOrAbort(c, call, outcome, faults))
}

function respondOrAbort<B>(
  c: Exchange,
  call: Call<B>,
  outcome: OperationResult,
  faults: ApiFaults | undefined,
): SerializedResponse {
  const end = outcome.cut === true ? 'cut' : faults?.abort
  if (end !== undefined) return abortConnection(c, call, outcome, end)
  if (outcome.stream === undefined) return serialize(c, call.services, outcome)
  return serializeStream(c, call.services, outcome, outcome.stream)
}

function abortConnection<B>(c: Exchange, call: Call<B>, outcome: OperationResult, end: 'cut' | 'reset'): never {
  const { entry, services } = call
  if (entry.faults?.includes(end) !== true) entry.faults = [...(entry.faults ?? []), end]
  const body = JSON.stringify(outcome.body)
  log(c, services, outcome, body)
  outcome.stream?.cancel().catch(() => {})
  if (end === 'cut')
    throw new ConnectionAbortedError('The simulator cut the connection after the request was done (cut).')
  const partial = { status: outcome.status, headers: headersOf(outcome), body }
  throw new ConnectionAbortedError('The simulator reset the connection in the midst of the answer (reset).', partial)
}

/** Codes of statuses that mean one thing. */
const PLAIN_CODES: { readonly [status: number]: ApiErrorCode } = {
  400: 'bad_request',
  401: 'unauthorized',
  404: 'not_found',
  429: 'rate_limited',
  500: 'internal_error',
  502: 'router_error',
}

/** The answer of a `status:<code>` fault. */
function statusFaultResponse(status: number): ApiResponse {
  const code: ApiErrorCode = PLAIN_CODES[status] ?? 'simulated_fault'
  const message = `A fault of the sandbox answered this request (status:${status}); nothing was done.`
  const retry = status === 429 || status === 503 ? { 'Retry-After': '1' } : undefined
  const authenticate = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : undefined
  return { status, body: errorObject(code, message), headers: { ...retry, ...authenticate }, code }
}
