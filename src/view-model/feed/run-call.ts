// Performs the calls that the reducer requests, and loads the detail of a row.

import type { Client } from '../../client/assemble-client.ts'
import type { DeliveryView } from '../../client/control-types.ts'
import type { DiagnosisView } from '../../client/history-types.ts'
import { rowsOf } from '../../client/paginate.ts'
import { countOf } from '../../domain/count-text.ts'
import { formatMoney } from '../../domain/currency.ts'
import type { AttemptOfMessage, SingleCall } from '../effect.ts'
import type { CreatedObject, LoadedDetail } from '../model-action.ts'
import { formatAttemptResult, whyNotDelivered } from '../rows/attempt-result.ts'
import type { PaneName } from '../rows/rows.ts'
import { NothingToDoError } from './run-each.ts'

export interface CallResult {
  readonly text: string
  readonly created?: CreatedObject
}

export interface CallPorts {
  readonly client: Client
  /** Opens the page of a payment in a browser. */
  readonly openPage: (id: string, address: string) => Promise<void>
  /** The base URL of the payment page. */
  readonly payUrl: string
}

/** Rejects with the client's error, or with a `NothingToDoError`. */
export async function runCall(call: SingleCall, { client, openPage, payUrl }: CallPorts): Promise<CallResult> {
  const { control } = client
  switch (call.do) {
    case 'create_payment': {
      const { payment } = await client.payments.create(call.body, { outcome: call.outcome })
      const text = `Payment ${payment.id} of ${formatMoney(payment.amount, payment.currency)} is ${payment.status}.`
      return { text, created: { pane: 'payments', payment } }
    }
    case 'create_payout': {
      const { payout } = await client.payouts.create(call.body, { outcome: call.outcome })
      const text = `Payout ${payout.id} of ${formatMoney(payout.amount, payout.currency)} is ${payout.status}.`
      return { text, created: { pane: 'payouts', payout } }
    }
    case 'pay':
      return statusResult(await control.act.payment(call.id, { action: 'pay' }))
    case 'decline':
      return statusResult(await control.act.payment(call.id, { action: 'decline', failure_code: call.code }))
    case 'settle':
      return statusResult(
        await control.act.payout(call.id, { action: 'settle', status: call.status, failure_code: call.code }),
      )
    case 'cancel':
      await client.payments.cancel(call.id)
      return { text: `${call.id} is cancelled.` }
    case 'refund': {
      const refund = await client.payments.refund(call.id, { amount: call.amount, reason: call.reason })
      return { text: `Refund ${refund.id} is ${refund.status}.` }
    }
    case 'replay': {
      const { do: _, event_id, ...body } = call
      return deliveryResult((await control.events.replay(event_id, body)).items)
    }
    case 'replay_newest': {
      const [newest] = (await control.events.list({ object_id: call.object_id, limit: 1 })).items
      if (newest === undefined) throw new NothingToDoError('This object has no webhook event yet.')
      return deliveryResult((await control.events.replay(newest.id)).items)
    }
    case 'retry':
      return deliveryResult([await control.deliveries.retry(call.delivery_id)])
    case 'retry_newest': {
      const [newest] = (await control.deliveries.list({ object_id: call.object_id, limit: 1 })).items
      if (newest === undefined)
        throw new NothingToDoError(
          'This object has no delivery to retry. It has no event yet, or no endpoint of its shop subscribed to its events.',
        )
      return deliveryResult([await control.deliveries.retry(newest.id)])
    }
    case 'advance': {
      const { steps, deliveries } = await control.clock.advance(call.body)
      return {
        text: `The clock advanced: ${countOf(steps, 'step')}, ${countOf(deliveries, 'delivery attempt')}.`,
      }
    }
    case 'freeze':
      await control.clock.set({ mode: 'frozen' })
      return { text: 'The clock is frozen. Press a to advance it or f to resume it.' }
    case 'resume':
      await control.clock.set({ mode: 'real' })
      return { text: 'The clock is running.' }
    case 'verify':
      return { text: diagnosisText(await control.deliveries.diagnosis(call.delivery_id, call.attempt)) }
    case 'open': {
      const url = `${payUrl}/pay/${encodeURIComponent(call.id)}`
      await openPage(call.id, url)
      return { text: `Opened ${url}` }
    }
  }
}

function statusResult({ id, status }: { id: string; status: string }): CallResult {
  return { text: `${id} is ${status}.` }
}

function deliveryResult(deliveries: readonly DeliveryView[]): CallResult {
  const sentences = deliveries.map(({ url, attempts, edited }) => {
    const last = attempts.at(-1)
    const why = whyNotDelivered(last)
    if (why === undefined)
      return `${edited ? 'Sent the edited body' : 'Sent'}: ${formatAttemptResult(last)} from ${url}.`
    const text = `${edited ? 'The edited body was not delivered' : 'Not delivered'} to ${url}: ${why}`
    return /[.?!]$/.test(text) ? text : `${text}.`
  })
  return { text: sentences.join(' ') }
}

/** The advice about a valid signature is about the response, so it is omitted. */
function diagnosisText({ signature, message, advice }: DiagnosisView): string {
  return signature === 'valid' ? `valid: ${message}` : ['not valid:', message, advice].filter(Boolean).join(' ')
}

/** Maximum events, and maximum deliveries. By default a delivery has up to nine attempts with their bodies. */
const MAX_ITEMS = 20

/** The log cannot be queried by id, and the selected request is most often a new one. */
const REQUESTS_PAGE_SIZE = 100

/** @param attempt the attempt of a stream message */
export async function loadDetail(
  { control }: Client,
  pane: PaneName,
  id: string,
  attempt?: AttemptOfMessage,
): Promise<LoadedDetail> {
  switch (pane) {
    case 'payments':
    case 'payouts': {
      const [events, deliveries] = await Promise.all([
        control.events.list({ object_id: id, limit: MAX_ITEMS }),
        control.deliveries.list({ object_id: id, limit: MAX_ITEMS }),
      ])
      return { events: events.items, deliveries: deliveries.items, request: undefined }
    }
    case 'deliveries':
      return { events: [], deliveries: [await control.deliveries.get(id)], request: undefined }
    case 'requests': {
      for await (const request of rowsOf((query) => control.requests({ ...query }), {}, REQUESTS_PAGE_SIZE)) {
        if (String(request.id) === id) return { events: [], deliveries: [], request }
      }
      return { events: [], deliveries: [], request: undefined }
    }
    case 'stream': {
      if (attempt === undefined) return { events: [], deliveries: [], request: undefined }
      const delivery = await control.deliveries.get(attempt.delivery_id)
      const attempts = delivery.attempts.filter(({ number }) => number <= attempt.number)
      return { events: [], deliveries: [{ ...delivery, attempts }], request: undefined }
    }
  }
}
