// One attempt: look, prepare, send, judge, record.
import type { Attempt, Delivery } from '../domain/delivery.ts'
import { Refusal } from '../domain/errors.ts'
import type { WebhookEvent } from '../domain/events.ts'
import { mostAttempts } from '../domain/retry-schedule.ts'
import { rfc3339, type WallTime } from '../domain/time.ts'
import { recordBody } from './answer-body.ts'
import type { CourierPorts } from './courier-contract.ts'
import type { Holds } from './holds.ts'
import { type Prepared, prepare, signerOf } from './prepare.ts'
import { receiverOf } from './receiver.ts'
import type { Answer } from './transport.ts'
import { judge } from './verdict.ts'
import { type FaultPlan, planFaults, takeFaults } from './webhook-faults.ts'

export interface Attempts {
  /** @param abandoned true once nobody waits for the result any more: then it is not recorded */
  make(deliveryId: string, abandoned: () => boolean): Promise<void>
}

/** Copies of a `duplicate` fault that are under way at once. */
const COPIES = 16

export function createAttempts(ports: CourierPorts, holds: Holds): Attempts {
  const { engine, wall, listeners } = ports
  const { world } = engine

  async function make(id: string, abandoned: () => boolean): Promise<void> {
    const delivery = world.get('deliveries', id)
    const event = delivery && world.get('events', delivery.event_id)
    const signer = delivery && signerOf(world, delivery)
    // Cancelled, cleared or without a receiver by now.
    if (delivery?.status !== 'waiting' || event === undefined || signer === undefined) return
    const listener = listenerOf(delivery)
    if (listener !== undefined && !listeners.connected(listener)) return listeners.park(listener, id)

    const plan = holds.take(id) ?? planFaults(takeFaults(engine, 'webhook', () => factsOf(delivery)))
    if (plan.delay > 0) return holds.delay(id, plan)
    if (plan.reorder && holds.reorder(receiverOf(delivery), id, plan)) return

    const sent_at = wall.now()
    const began = wall.monotonic()
    const prepared = prepare({ delivery, event, signer, v1: world.settings.webhook_v1, faults: plan, now: sent_at })
    const answer = plan.drop ? DROPPED : await send(delivery, event, prepared, plan, listener)
    if (abandoned()) return
    if (answer === 'lost') {
      holds.keep(id, plan)
      return listeners.park(listener ?? '', id)
    }
    record(
      delivery,
      prepared,
      plan.late ? tooLate(answer) : answer,
      plan,
      sent_at,
      answer.ms ?? wall.monotonic() - began,
    )
    if (!plan.drop) holds.gone(receiverOf(delivery))
  }

  function listenerOf({ endpoint_id }: Delivery): string | undefined {
    if (endpoint_id === undefined) return undefined
    return world.get('endpoints', endpoint_id)?.listener === true ? endpoint_id : undefined
  }

  /** With `duplicate`, the first copy's answer counts. */
  async function send(
    delivery: Delivery,
    event: WebhookEvent,
    prepared: Prepared,
    plan: FaultPlan,
    listener: string | undefined,
  ): Promise<Answer | 'lost'> {
    const sendOne = () => {
      if (listener !== undefined) return listeners.send(listener, forListener(delivery, event, prepared))
      const { headers, body } = prepared
      return ports.transport({ url: delivery.url, headers, body, deadline_ms: world.settings.webhook_timeout })
    }
    if (plan.duplicate === 0) return sendOne()
    // A listener that forwards in order reports the first before it forwards the next: waiting for all would stop it.
    if (listener !== undefined)
      return Array.from({ length: plan.duplicate + 1 }, sendOne)[0] as Promise<Answer | 'lost'>
    const answers: (Answer | 'lost')[] = []
    for (let left = plan.duplicate + 1; left > 0; left -= COPIES) {
      answers.push(...(await Promise.all(Array.from({ length: Math.min(left, COPIES) }, sendOne))))
    }
    return answers[0] ?? 'lost'
  }

  function forListener(delivery: Delivery, event: WebhookEvent, { headers, body }: Prepared) {
    const attempt = delivery.attempts.length + 1
    return {
      delivery_id: delivery.id,
      event: delivery.event,
      event_id: event.id,
      object_id: delivery.object_id,
      url: delivery.url,
      headers,
      body_b64: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'),
      attempt,
      attempts_total: Math.max(attempt, mostAttempts(delivery, world.settings.webhook_retries)),
      due_at: rfc3339(delivery.next_attempt_at ?? delivery.created_at),
      timeout_ms: world.settings.webhook_timeout,
    }
  }

  function record(
    before: Delivery,
    prepared: Prepared,
    answer: Answer,
    plan: FaultPlan,
    sent_at: WallTime,
    ms: number,
  ): void {
    // Cleared by a reset while it was under way.
    const delivery = world.get('deliveries', before.id)
    if (delivery === undefined) return
    const { delivered, error } = judge(answer)
    const attempt: Attempt = {
      number: delivery.attempts.length + 1,
      at: before.next_attempt_at ?? before.created_at,
      sent_at,
      ms: Math.round(ms),
      ...(answer.status === undefined ? {} : { status: answer.status }),
      ...(error === undefined ? {} : { error }),
      ...(plan.names.length === 0 ? {} : { fault: plan.names.join(', '), fault_ids: plan.ids }),
      request_headers: prepared.headers,
      ...(prepared.changed ? { request_body: recordBody(prepared.body) } : {}),
      ...(answer.headers === undefined ? {} : { response_headers: answer.headers }),
      ...(answer.body === undefined ? {} : { response_body: answer.body }),
    }
    try {
      engine.execute('record_attempt', { delivery_id: delivery.id, attempt, delivered })
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'storage_unavailable') throw error
    }
  }

  return { make }
}

const DROPPED: Answer = { error: 'Not sent: the fault drop took it.' }

/** The receiver has handled it and answered; the service did not wait so long, and tries again. */
function tooLate(answer: Answer): Answer {
  if (answer.error !== undefined) return answer
  return { ...answer, error: `The fault late counts the answer (${answer.status}) as one after the deadline.` }
}

function factsOf({ id, event, event_id, object_id, shop_id, endpoint_id, url, attempts }: Delivery) {
  return { delivery_id: id, event, event_id, object_id, shop_id, endpoint_id, url, attempt: attempts.length + 1 }
}
