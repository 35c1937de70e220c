// Runs an operation and returns its response, or breaks the connection if the simulator requires it.
import { type ApiErrorCode, RefusalError } from '../../domain/errors.ts'
import { statusFaultMessage } from '../../domain/simulated-errors.ts'
import { requireSameState } from '../../engine/engine.ts'
import { awaitWrites } from '../await-writes.ts'
import type { WaitForWebhook } from '../before-response.ts'
import { ConnectionAbortedError } from '../connection-aborted.ts'
import { errorObject, errorResponse } from '../errors.ts'
import type { ApiFaults } from '../faults.ts'
import { type ApiResponse, headersOf, log, type SerializedResponse, serialize, serializeStream } from '../respond.ts'
import type { Call, Operation, OperationResult } from './operation.ts'

/**
 * @param faults the faults that apply to the request
 * @param waitForWebhook returns a promise for the webhook that the response must wait for, or `undefined`. Absent: the
 * request is a dry run, which sends no webhook
 */
export function runOperation<B>(
  operation: Operation<B>,
  call: Call<B>,
  faults: ApiFaults | undefined,
  waitForWebhook?: WaitForWebhook,
): SerializedResponse | Promise<SerializedResponse> {
  const { services, shop, entry, exchange } = call
  const { engine } = services
  const { generation } = engine
  if (faults?.status !== undefined) {
    const response = statusFaultResponse(faults.status)
    const stored = engine.written()
    return stored === undefined
      ? serialize(exchange, services, response)
      : stored.then(() => serialize(exchange, services, response))
  }
  const result = resultOf(operation, call, faults)
  const stored = engine.written()
  const webhookSent = waitForWebhook?.(operation.name, entry.object_id ?? '', shop.id)
  // A stream need not wait: nothing has been sent on it yet.
  if ((stored === undefined && webhookSent === undefined) || result.stream !== undefined) {
    return respondAfterDelay(call, result, faults)
  }
  const respondAfterWait = () => {
    requireSameState(engine, generation)
    return respondAfterDelay(call, result, faults)
  }
  if (webhookSent !== undefined) return Promise.all([stored, webhookSent]).then(respondAfterWait)
  return (stored as Promise<void>).then(respondAfterWait, (writeError: unknown) =>
    repeatRead(operation, call, faults, writeError),
  )
}

/** Repeats a read after a failed write, so that the response contains stored data only. */
async function repeatRead<B>(
  operation: Operation<B>,
  call: Call<B>,
  faults: ApiFaults | undefined,
  writeError: unknown,
): Promise<SerializedResponse> {
  if (operation.method !== 'GET') throw writeError
  const result = await awaitWrites(call.services.engine, 'read', () => resultOf(operation, call, faults))
  return respondAfterDelay(call, result, faults)
}

/** Converts an error to a response if a fault applies, because the fault also delays or breaks an error response. */
function resultOf<B>(operation: Operation<B>, call: Call<B>, faults: ApiFaults | undefined): OperationResult {
  if (faults?.abort === undefined && faults?.delayResponse === undefined) return operation.run(call)
  try {
    return operation.run(call)
  } catch (error) {
    if (error instanceof RefusalError && error.decided_by !== undefined) call.entry.decided_by = error.decided_by
    return errorResponse(error, call.services)
  }
}

function respondAfterDelay<B>(
  call: Call<B>,
  result: OperationResult,
  faults: ApiFaults | undefined,
): SerializedResponse | Promise<SerializedResponse> {
  if (faults?.delayResponse === undefined) return respondOrAbort(call, result, faults)
  return faults.delayResponse().then(() => respondOrAbort(call, result, faults))
}

function respondOrAbort<B>(call: Call<B>, result: OperationResult, faults: ApiFaults | undefined): SerializedResponse {
  const end = result.cut === true ? 'cut' : faults?.abort
  if (end !== undefined) return abortConnection(call, result, end)
  if (result.stream === undefined) return serialize(call.exchange, call.services, result)
  return serializeStream(call.exchange, call.services, result, result.stream)
}

function abortConnection<B>(call: Call<B>, result: OperationResult, end: 'cut' | 'reset'): never {
  const { entry, services, exchange } = call
  if (entry.faults?.includes(end) !== true) entry.faults = [...(entry.faults ?? []), end]
  const body = JSON.stringify(result.body)
  log(exchange, services, result, body)
  result.stream?.cancel().catch(() => {})
  if (end === 'cut')
    throw new ConnectionAbortedError('The simulator closed the connection after the request was processed (cut).')
  const partial = { status: result.status, headers: headersOf(result), body }
  throw new ConnectionAbortedError(
    'The simulator closed the connection in the middle of the response (reset).',
    partial,
  )
}

/** The error code by status. Any other status gets `simulated_fault`. */
const CODE_BY_STATUS: { readonly [status: number]: ApiErrorCode } = {
  400: 'bad_request',
  401: 'unauthorized',
  404: 'not_found',
  429: 'rate_limited',
  500: 'internal_error',
  502: 'router_error',
}

/** Returns the response of a `status:<code>` fault. */
function statusFaultResponse(status: number): ApiResponse {
  const code: ApiErrorCode = CODE_BY_STATUS[status] ?? 'simulated_fault'
  const retry = status === 429 || status === 503 ? { 'Retry-After': '1' } : undefined
  const authenticate = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : undefined
  return { status, body: errorObject(code, statusFaultMessage(status)), headers: { ...retry, ...authenticate }, code }
}
