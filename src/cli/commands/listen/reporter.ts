// Prints deliveries and responses, as text or NDJSON, with a hint if a receiver rejects a webhook.

import type { Client } from '../../../client/client.ts'
import type { ClockView } from '../../../client/clock-types.ts'
import type { StreamState } from '../../../client/follow.ts'
import type { DeliveryState, ListenerDelivery, ListenerView } from '../../../client/listener-types.ts'
import { headerValue } from '../../../domain/delivery.ts'
import { isAccepted } from '../../../domain/http-response.ts'
import { causeAndAdvice } from '../../../domain/receiver-failures.ts'
import { fixForStatus, SIGNATURE_STATUSES } from '../../../domain/remediation.ts'
import { rfc3339 } from '../../../domain/time.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import { explain } from '../../failure.ts'
import { wrapLine } from '../../output/lines.ts'
import type { Session } from '../../session.ts'
import { readSignatureFacts } from '../../target/signature-facts.ts'
import type { ForwardedResponse } from './forwarder.ts'
import { attemptLine, bodyLines, eventLine, INDENT, responseLines, textOf } from './lines.ts'

export interface Reporter {
  ready(url: string, listeners: readonly ListenerView[]): void
  event(delivery: ListenerDelivery): void
  attempt(delivery: ListenerDelivery, response: ForwardedResponse, after: DeliveryState | undefined): Promise<void>
  connectionChanged(state: StreamState, facts: ConnectionFacts): void
  reportFailed(error: unknown): void
}

interface ConnectionFacts {
  /** The server replaced its state before the connection was lost: a reset, an import or a restore. */
  readonly wasReset: boolean
  /** The server did not have the listener any more, so it was created again. */
  readonly isNewListener: boolean
}

export function createReporter(session: Session, client: Client, showBody: boolean): Reporter {
  const { out, host } = session
  const { paint, notePaint } = out
  const hinted = new Set<string>()
  let hasSeveralReceivers = false
  const secretsByUrl = new Map<string, string>()
  let lost = false
  /** The delivery whose `-->` was printed last. */
  let latest: string | undefined

  const print = (lines: readonly string[]) => out.text(lines.map((line) => `${line}\n`).join(''))

  async function hintOnce(delivery: ListenerDelivery, response: ForwardedResponse): Promise<void> {
    const hint = await hintFor({ delivery, response, secret: secretsByUrl.get(delivery.url), session })
    const key = `${delivery.url} ${hint?.replaceAll(delivery.delivery_id, '')}`
    if (hint === undefined || hinted.has(key)) return
    hinted.add(key)
    out.note(notePaint.dim(hint))
  }

  /** Returns the sandbox's clock if another attempt follows; `undefined` if it cannot be read. */
  async function clockFor(after: DeliveryState | undefined): Promise<ClockView | undefined> {
    if (after?.next_attempt_at === undefined || after.next_attempt_at === null || out.json) return undefined
    return await client.control.clock.get().catch(() => undefined)
  }

  return {
    ready(url, listeners) {
      hasSeveralReceivers = listeners.length > 1
      for (const one of listeners.filter(({ connected }) => connected === true)) {
        out.warn(`Another psp listen forwarded to ${sanitizeLine(one.url)}. It stops: its webhooks are now sent here.`)
      }
      for (const listener of listeners) secretsByUrl.set(listener.url, listener.secret)
      if (out.json) {
        const shown = listeners.map(({ id, url: to }) => ({ id, url: to }))
        out.document({ type: 'ready', url, listeners: shown, secret: listeners[0]?.secret })
        return
      }
      out.note(
        `${notePaint.bold('Ready.')} Webhooks of ${url} are forwarded to ${listeners.map((one) => one.url).join(', ')}`,
      )
      out.note(
        notePaint.dim(
          "Signed with the shop's webhook secret; `psp listen --print-secret` shows it. Ctrl-C stops the command.",
        ),
      )
    },
    event(delivery) {
      const now = host.systemClock.now()
      const { generation: _, ...shown } = delivery
      if (out.json) return out.document({ type: 'event', at: rfc3339(now), ...shown })
      const body = showBody ? bodyLines(Buffer.from(delivery.body_b64, 'base64').toString('utf8')) : []
      latest = delivery.delivery_id
      print([wrapLine(eventLine(delivery, { now, hasSeveralReceivers }, paint), out.columns, INDENT), ...body])
    },
    async attempt(delivery, response, after) {
      if (out.json) {
        out.document(attemptDocument(delivery, response, after, rfc3339(host.systemClock.now())))
        return
      }
      const failed = !isAccepted(response)
      const clock = await clockFor(after)
      const details = failed || showBody ? responseLines(response, showBody, out.columns) : []
      // Read the time last, so that lines are in the order of their times.
      const now = host.systemClock.now()
      const overlapped = latest !== delivery.delivery_id
      const line = attemptLine({ delivery, response, after, clock, now, overlapped }, paint)
      print([wrapLine(line, out.columns, INDENT), ...details])
      if (failed) await hintOnce(delivery, response)
    },
    connectionChanged(state, { wasReset, isNewListener }) {
      if (state.state === 'lost') {
        const reason = wasReset ? 'the state of the sandbox was replaced' : state.reason
        if (!lost) out.warn(`Connection lost (${reason}). Reconnecting.`)
        lost = true
      } else if (lost) {
        lost = false
        out.note(notePaint.dim(`Connected again. ${isNewListener ? NEW_LISTENER : 'Missed webhooks follow.'}`))
      }
    },
    reportFailed(error) {
      const reason = explain(error).message.replace(/\.?$/, '.')
      out.warn(`The response could not be reported: ${reason} The webhook will be sent again.`)
    },
  }
}

function attemptDocument(
  { delivery_id, event_id, event, attempt, attempts_total, url }: ListenerDelivery,
  { status, error, ms, headers = [], body }: ForwardedResponse,
  after: DeliveryState | undefined,
  at: string,
) {
  return {
    type: 'attempt',
    at,
    delivery_id,
    event_id,
    event,
    attempt,
    attempts_total,
    url,
    status: status ?? null,
    error: error ?? null,
    ms,
    delivery_status: after?.status ?? null,
    next_attempt_at: after?.next_attempt_at ?? null,
    response_headers: headers,
    response_body: textOf(body),
    ...(body?.b64 !== undefined && { response_body_b64: body.b64 }),
    ...(body?.truncated !== undefined && { response_truncated: true }),
    ...(body?.note !== undefined && { response_note: body.note }),
  }
}

const NEW_LISTENER = 'The server no longer had this listener, so only new webhooks are forwarded.'

interface HintFacts {
  readonly delivery: ListenerDelivery
  readonly response: Pick<ForwardedResponse, 'status' | 'error' | 'late'>
  /** The secret of the listener. It verifies the signature, unless an injected fault has changed the delivery. */
  readonly secret: string | undefined
  readonly session: Session
}

/** Returns why a receiver may have rejected a webhook: an injected fault, otherwise the usual causes. */
async function hintFor({ delivery, response, secret, session }: HintFacts): Promise<string | undefined> {
  const { status } = response
  if (status === undefined || !SIGNATURE_STATUSES.includes(status)) {
    if (response.error !== undefined) return adviceOnFailure(response.error, response.late)
    return status === undefined || status >= 500 ? undefined : fixForStatus(status)
  }
  const wrong = secret === undefined ? undefined : await signatureIssue(delivery, secret, session)
  if (wrong !== undefined) return `The receiver is right to reject this webhook. ${wrong}`
  return `${fixForStatus(status)} ${diagnosisCommands(delivery)}`
}

function adviceOnFailure(error: string, late = false): string | undefined {
  const { advice } = causeAndAdvice(error)
  const parts = [advice, late ? '`--timeout` extends the deadline.' : ''].filter((part) => part !== '')
  return parts.length === 0 ? undefined : parts.join(' ')
}

function diagnosisCommands({ delivery_id, url }: ListenerDelivery): string {
  return `The webhook is valid. With your secret and the body that your application received, \`psp verify --delivery ${delivery_id} --secret whs_… body.json --explain\` finds the cause, and so does \`psp audit ${url}\`. \`psp listen --print-secret\` shows the secret.`
}

async function signatureIssue(
  { headers, body_b64, event_id, delivery_id }: ListenerDelivery,
  secret: string,
  session: Session,
): Promise<string | undefined> {
  const { explainSignature } = await import('../../../webhooks/explain-signature.ts')
  const header = headerValue(headers, 'x-psp-signature')
  const seen = {
    rawBody: Buffer.from(body_b64, 'base64'),
    header,
    secrets: [secret],
    now: session.host.systemClock.now(),
  }
  if (explainSignature(seen).valid) return undefined
  const { secrets, storedBody } = await readSignatureFacts(session, event_id)
  const found = explainSignature({ ...seen, known: secrets, storedBody })
  return `${await faultText(delivery_id, session)}${found.message}`
}

/** Names the fault that the sandbox recorded for the attempt, if there is one. */
async function faultText(deliveryId: string, session: Session): Promise<string> {
  const { client } = await session.target()
  const delivery = await client.control.deliveries.get(deliveryId).catch(() => undefined)
  const fault = delivery?.attempts.at(-1)?.fault
  return typeof fault === 'string' ? `The fault ${fault} changed it. ` : ''
}
