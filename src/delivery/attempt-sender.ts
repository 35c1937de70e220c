// Makes one webhook attempt: read the delivery, prepare, send, classify the response, record.

import type { Delivery } from '../domain/delivery.ts'
import { RefusalError } from '../domain/errors.ts'
import { describeFailure } from '../domain/receiver-failures.ts'
import { type WallTime, wholeMicroseconds } from '../domain/time.ts'
import { consumeFaultsIfAny } from '../engine/consume-faults.ts'
import type { World } from '../engine/world.ts'
import type { ReceiverResponse } from '../receiver-client/transport.ts'
import { receiverOf } from './attempt-job.ts'
import { asLateResponse, attemptRecord, type CompletedAttempt, DROPPED } from './attempt-record.ts'
import { classifyResponse } from './classify-response.ts'
import type { DeferredAttempts } from './deferred-attempts.ts'
import type { DispatcherPorts } from './dispatcher-types.ts'
import { addDuplicates, type CopyResponse, measure, sendCopies } from './duplicates.ts'
import { deliveryFacts } from './fault-facts.ts'
import { toForwardRequest } from './forward-messages.ts'
import { prepareRequest, signerOf, type WebhookRequest } from './prepare-request.ts'
import { type AttemptFaults, selectFaults } from './webhook-faults.ts'

/**
 * `over`: the attempt has a result, waits for a fault or a listener, or is not needed any more. `sent again`: the
 * delivery is sent to another connection at once.
 */
export type AttemptEnd = 'over' | 'sent again'

export interface AttemptSender {
  /**
   * Resolves with `sent again` if another connection of the listener replaced the one that had the delivery.
   * @param isAbandoned returns true if the result is no longer needed and must not be recorded
   */
  make(deliveryId: string, isAbandoned: () => boolean): Promise<AttemptEnd>
}

/** The response to an attempt, and the responses to its further copies, which may be received later. */
interface SendResult {
  readonly response: ReceiverResponse | 'disconnected'
  /** The duration of the first copy in ms. Absent for a listener, and if nothing was sent or the transport rejected. */
  readonly ms?: number
  readonly copies?: readonly CopyResponse[]
  readonly laterCopies?: Promise<readonly CopyResponse[]>
}

interface OutgoingAttempt {
  readonly delivery: Delivery
  readonly prepared: WebhookRequest
  readonly faults: AttemptFaults
  readonly listener: string | undefined
  readonly isAbandoned: () => boolean
}

export function createAttemptSender(ports: DispatcherPorts, deferred: DeferredAttempts): AttemptSender {
  const { engine, systemClock, listeners } = ports
  const { world } = engine

  async function make(id: string, isAbandoned: () => boolean): Promise<AttemptEnd> {
    const delivery = world.get('deliveries', id)
    const event = delivery && world.get('events', delivery.event_id)
    const signer = delivery && signerOf(world, delivery)
    // The delivery was cancelled or cleared, or its receiver was removed.
    if (delivery?.status !== 'waiting' || event === undefined || signer === undefined) return 'over'
    const listener = listenerOf(world, delivery)
    if (listener !== undefined && !listeners.isConnected(listener)) return parkOrSendAgain(listener, id)

    const saved = deferred.takeFaults(id)
    const faults =
      saved ?? selectFaults(consumeFaultsIfAny(engine, 'webhook', () => deliveryFacts(world, delivery, event)))
    if (deferred.defer(delivery, faults)) return 'over'

    const sentAt = systemClock.now()
    const prepared = prepareRequest({ delivery, event, signer, v1Form: world.settings.webhook_v1, faults, now: sentAt })
    // Do not send a webhook before its commit is written.
    const written = engine.written()
    if (written !== undefined) await awaitWritten(written, id, saved)
    if (isAbandoned()) return 'over'
    return await sendAndRecord({ delivery, prepared, faults, listener, isAbandoned }, sentAt)
  }

  const parkOrSendAgain = (listener: string, id: string) => (listeners.park(listener, id) ? 'sent again' : 'over')

  async function sendAndRecord(attempt: OutgoingAttempt, sent_at: WallTime): Promise<AttemptEnd> {
    const { delivery, prepared, faults, listener, isAbandoned } = attempt
    const { generation } = engine
    const began = systemClock.monotonic()
    const sent: SendResult = faults.drop ? { response: DROPPED } : await send(attempt).catch(failedSend(delivery))
    if (isAbandoned()) return 'over'
    if (sent.response === 'disconnected') {
      deferred.saveFaults(delivery.id, faults)
      return parkOrSendAgain(listener ?? '', delivery.id)
    }
    const ms = sent.response.ms ?? sent.ms ?? wholeMicroseconds(systemClock.monotonic() - began)
    const number = delivery.attempts.length + 1
    const response = faults.late_response ? asLateResponse(sent.response) : sent.response
    record(delivery, { prepared, response, faults, sent_at, ms, copies: sent.copies })
    sent.laterCopies
      ?.then((copies) => engine.generation === generation && addDuplicates(engine, delivery.id, number, copies))
      .catch(ports.onInternalError)
    if (!faults.drop) deferred.onSent(receiverOf(delivery))
    return 'over'
  }

  /** @throws the rejection of `written`. The attempt is then made when writes succeed again. */
  async function awaitWritten(written: Promise<void>, id: string, saved: AttemptFaults | undefined): Promise<void> {
    try {
      await written
    } catch (error) {
      if (saved !== undefined) deferred.saveFaults(id, saved)
      throw error
    }
  }

  /** With the fault `duplicate`, the response to the first copy counts. That to an abandoned attempt is not used. */
  async function send({ delivery, prepared, faults, listener, isAbandoned }: OutgoingAttempt): Promise<SendResult> {
    if (listener !== undefined) {
      const forward = toForwardRequest(delivery, prepared, world.settings, engine.generation)
      // A listener that forwards in order reports the first copy before it forwards the next. So do not wait for all.
      const sendOne = () => measure(() => listeners.send(listener, forward), systemClock)
      const first = sendOne()
      const rest = Array.from({ length: faults.duplicate }, sendOne)
      const { response } = await first
      return rest.length === 0 ? { response } : { response, laterCopies: Promise.all(rest) }
    }
    const { headers, body } = prepared
    const outgoing = { url: delivery.url, headers, body, deadline_ms: world.settings.webhook_timeout }
    const sendOne = () => ports.transport(outgoing)
    const [first, ...copies] = await sendCopies(faults.duplicate + 1, sendOne, systemClock, isAbandoned)
    if (first === undefined) return { response: 'disconnected' }
    return { response: first.response, ms: wholeMicroseconds(first.ms), ...(copies.length > 0 && { copies }) }
  }

  function record(before: Delivery, sent: CompletedAttempt): void {
    const delivery = world.get('deliveries', before.id)
    if (delivery === undefined) return
    const { delivered, error } = classifyResponse(sent.response)
    const attempt = attemptRecord(delivery, before.next_attempt_at ?? before.created_at, sent, error)
    try {
      engine.execute('record_attempt', { delivery_id: delivery.id, attempt, delivered })
    } catch (error) {
      if (!(error instanceof RefusalError) || error.code === 'storage_unavailable') throw error
    }
  }

  return { make }
}

/** Returns the id of the listener that receives the delivery, if one does. */
function listenerOf(world: World, { endpoint_id }: Delivery): string | undefined {
  if (endpoint_id === undefined) return undefined
  return world.get('endpoints', endpoint_id)?.listener === true ? endpoint_id : undefined
}

/** Converts a rejection of the transport to a failed response, so that the retry schedule continues. */
function failedSend({ url }: Delivery): (error: unknown) => SendResult {
  return (error) => ({ response: { error: describeFailure(error, url, 'connecting') } })
}
