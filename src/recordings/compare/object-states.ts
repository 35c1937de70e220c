// Reads from the recording which states each object had, and how the bank decided.
import { isFailureCode } from '../../domain/failure-codes.ts'
import { isSuccess } from '../../domain/http-response.ts'
import { asObject, asText, type JsonObject } from '../../domain/json-values.ts'
import { type CallOutline, isStream, type ObservedState, objectIn, type RecordedCall } from './recorded-call.ts'
import { observedMessages } from './stream-messages.ts'

/** Everything that the recording shows about an object. */
export interface RecordedObject {
  readonly id: string
  readonly type: 'payment' | 'payout'
  /** The state in the first response that shows the object. */
  first?: ObservedState
  /** The last method other than `any`. */
  method?: string
  failureCode?: string
  /** The recording shows that the payment was paid at some time. */
  isPaid?: true
  /** The sum of the refunds that recorded calls created. */
  refunded: number
  /** Refunds that were created before the recording, by id. */
  earlierRefunds?: Map<string, JsonObject>
}

export type RecordedObjects = ReadonlyMap<string, RecordedObject>

/** Collects what the whole recording says about each object. */
export function recordedObjects(calls: readonly RecordedCall[]): RecordedObjects {
  const known = new Map<string, RecordedObject>()
  const made = new Set<string>()
  const entry = (id: string, type: RecordedObject['type']): RecordedObject => {
    const found = known.get(id) ?? { id, type, refunded: 0 }
    known.set(id, found)
    return found
  }
  for (const call of calls) {
    const implied = impliedState(call, known)
    if (typeof implied === 'object' && isPaid(implied.status)) entry(implied.id, 'payment').isPaid = true
    if (!isSuccess(call.status)) continue
    const json = call.response?.json
    const seen = call.shows
    if (seen?.type === 'payment' && isPaid(seen.status)) entry(seen.id, 'payment').isPaid = true
    if (seen !== undefined) learn(entry(seen.id, seen.type), seen, asObject(json), made)
    if (call.operation.endsWith('/refund') && call.objectId !== undefined && call.status === 201) {
      entry(call.objectId, 'payment').refunded += Number(asObject(json)?.['amount']) || 0
      made.add(asText(asObject(json)?.['id']) ?? '')
    }
    if (!isStream(call)) continue
    for (const { payload, kind } of observedMessages(call.response?.text)) {
      const id = asText(payload['id'])
      if (id === undefined || !kind.endsWith('status_changed')) continue
      const object = entry(id, kind.startsWith('payout') ? 'payout' : 'payment')
      if (object.type === 'payment' && isPaid(asText(payload['status']))) object.isPaid = true
    }
  }
  // A body may show a refund before the response that created it was recorded.
  for (const { earlierRefunds } of known.values()) {
    for (const id of earlierRefunds?.keys() ?? []) if (made.has(id)) earlierRefunds?.delete(id)
  }
  return known
}

const isPaid = (status: string | undefined): boolean => status === 'succeeded' || status === 'refunded'

function learn(
  known: RecordedObject,
  seen: ObservedState,
  body: JsonObject | undefined,
  made: ReadonlySet<string>,
): void {
  known.first ??= seen
  const object = seen.object ?? {}
  // If only a later body shows a refund, it was made during the recording.
  const refunds = known.first === seen ? object['refunds'] : undefined
  for (const refund of Array.isArray(refunds) ? refunds.map(asObject) : []) {
    const id = asText(refund?.['id'])
    if (refund === undefined || id === undefined || made.has(id)) continue
    known.earlierRefunds ??= new Map()
    known.earlierRefunds.set(id, refund)
  }
  const method = asText(object['method'])
  if (method !== undefined && method !== 'any') known.method = method
  const metadata = asObject(object['metadata'])
  const code = [
    metadata?.['failure_code'],
    metadata?.['simulator_failure_code'],
    body?.['failure_code'],
    body?.['failure_reason'],
    object['fail_reason'],
  ]
    .map(asText)
    .find((text) => text !== undefined && text !== '')
  if (code !== undefined) known.failureCode = code
}

/** Returns the plan that makes the sandbox report and decide the same outcome as the recorded service. */
export function planOf(call: RecordedCall, known: RecordedObjects): string | undefined {
  const { response, operation } = call
  if (!isSuccess(response?.status)) {
    const code = response?.code
    return code === 'aml_blocked' || code === 'forbidden_purpose' ? `error:${code}` : undefined
  }
  const json = asObject(response?.json)
  if (operation.endsWith('/refund')) return refundPlan(asText(json?.['status']))
  const seen = objectIn(operation, json)
  const { failureCode } = (seen && known.get(seen.id)) ?? {}
  const metadata = asObject(seen?.object?.['metadata'])
  const announced = asText(json?.['simulator']) ?? asText(metadata?.['simulator_outcome'])
  const code = supportedCode(asText(metadata?.['simulator_failure_code']) ?? failureCode)
  if (seen?.status === 'failed') return `refused:${code}`
  if (announced === 'failed') return `failed:${code}`
  return announced === 'requires_action' || announced === 'pending' ? announced : 'succeeded'
}

export function refundPlan(status: string | undefined): string {
  return status === 'failed' ? 'failed' : status === 'pending' ? 'pending' : 'succeeded'
}

/** Returns the code, or the default for a code that the sandbox does not have. */
export function supportedCode(code: string | undefined): string {
  return code !== undefined && isFailureCode(code) ? code : 'do_not_honor'
}

/** Orders the statuses of a payment: pending, processing, and then all others, which have no order among them. */
export function rankOf(status: string): number {
  return status === 'pending' ? 0 : status === 'processing' ? 1 : 2
}

/**
 * Returns a state in which the service would have decided the call in the same way. If a refund was refused and the
 * payment was never paid, the state is unknown: the payment may have been pending, or have failed.
 */
export function impliedState(
  call: CallOutline,
  known: RecordedObjects,
): ObservedState | 'no_longer_pending' | undefined {
  const { operation, objectId: id, status, code } = call
  if (id === undefined || status === 0) return undefined
  const payment = (state: string) => ({ id, type: 'payment' as const, status: state })
  if (operation.endsWith('/cancel')) {
    if (status === 200) return payment('pending')
    return code === 'not_pending' ? 'no_longer_pending' : undefined
  }
  if (!operation.endsWith('/refund')) return undefined
  if (isSuccess(status) || status === 422 || code === 'already_refunded') return payment('succeeded')
  return code === 'not_refundable' && known.get(id)?.isPaid ? payment('pending') : undefined
}
