// Prints deliveries and responses, as text or NDJSON.
import type { Client } from '../../../client/client.ts'
import type { ClockView } from '../../../client/clock-types.ts'
import type { StreamState } from '../../../client/follow.ts'
import type { ListenerDelivery, ListenerVerdict, ListenerView } from '../../../client/listener-types.ts'
import { rfc3339 } from '../../../domain/time.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import { explain } from '../../failure.ts'
import { wrapLine } from '../../output/wrap-line.ts'
import type { Session } from '../../session.ts'
import type { Forwarded } from './forwarder.ts'
import { hintFor } from './hints.ts'
import { answerLines, attemptLine, bodyLines, eventLine, INDENT, isTaken, textOf } from './lines.ts'

export interface Reporter {
  ready(url: string, listeners: readonly ListenerView[]): void
  event(delivery: ListenerDelivery): void
  attempt(delivery: ListenerDelivery, answer: Forwarded, verdict: ListenerVerdict | undefined): Promise<void>
  state(state: StreamState): void
  notReported(error: unknown): void
}

export function createReporter(session: Session, client: Client, showBody: boolean): Reporter {
  const { out, host } = session
  const { paint, notePaint } = out
  const hinted = new Set<string>()
  let several = false
  /** By receiver URL. */
  const secrets = new Map<string, string>()
  let lost = false
  /** The delivery whose `-->` was printed last. */
  let latest: string | undefined

  const print = (lines: readonly string[]) => out.text(lines.map((line) => `${line}\n`).join(''))

  async function hintOnce(delivery: ListenerDelivery, answer: Forwarded): Promise<void> {
    const hint = await hintFor({ delivery, answer, secret: secrets.get(delivery.url), session })
    const key = `${delivery.url} ${hint?.replaceAll(delivery.delivery_id, '')}`
    if (hint === undefined || hinted.has(key)) return
    hinted.add(key)
    out.note(notePaint.dim(hint))
  }

  /** Reads the sandbox time, for the interval to the next attempt; `undefined` if that fails. */
  async function clockFor(verdict: ListenerVerdict | undefined): Promise<ClockView | undefined> {
    if (verdict?.next_attempt_at === undefined || verdict.next_attempt_at === null || out.json) return undefined
    return await client.control.clock.get().catch(() => undefined)
  }

  return {
    ready(url, listeners) {
      several = listeners.length > 1
      for (const one of listeners.filter(({ connected }) => connected === true)) {
        out.warn(`Another psp listen forwarded to ${sanitizeLine(one.url)}. It stops: its webhooks are now sent here.`)
      }
      for (const listener of listeners) secrets.set(listener.url, listener.secret)
      if (out.json) {
        const shown = listeners.map(({ id, url: to }) => ({ id, url: to }))
        out.document({ type: 'ready', url, listeners: shown, secret: listeners[0]?.secret })
        return
      }
      out.note(`${notePaint.bold('Ready.')} Webhooks of ${url} go to ${listeners.map((one) => one.url).join(', ')}`)
      out.note(
        notePaint.dim("Signed with the shop's webhook secret; `psp listen --print-secret` shows it. Ctrl-C ends."),
      )
    },
    event(delivery) {
      const now = host.systemClock.now()
      const { generation: _, ...shown } = delivery
      if (out.json) return out.document({ type: 'event', at: rfc3339(now), ...shown })
      const body = showBody ? bodyLines(Buffer.from(delivery.body_b64, 'base64').toString('utf8'), out.columns) : []
      latest = delivery.delivery_id
      print([wrapLine(eventLine(delivery, { now, several }, paint), out.columns, INDENT), ...body])
    },
    async attempt(delivery, answer, verdict) {
      if (out.json) {
        out.document(attemptDocument(delivery, answer, verdict, rfc3339(host.systemClock.now())))
        return
      }
      const failed = !isTaken(answer)
      const clock = await clockFor(verdict)
      const words = failed || showBody ? answerLines(answer, showBody, out.columns) : []
      // Read the time last, so that lines are in the order of their times.
      const now = host.systemClock.now()
      const overlapped = latest !== delivery.delivery_id
      const line = attemptLine({ delivery, answer, verdict, clock, now, overlapped }, paint)
      print([wrapLine(line, out.columns, INDENT), ...words])
      if (failed) await hintOnce(delivery, answer)
    },
    state(state) {
      if (state.state === 'lost') {
        if (!lost)
          out.warn(
            `Connection lost (${state.reason}). Reconnecting; webhooks that are sent in between are delivered afterwards.`,
          )
        lost = true
      } else if (state.again) {
        lost = false
        out.note(notePaint.dim('Connected again.'))
      }
    },
    notReported(error) {
      out.warn(`The response could not be reported: ${explain(error).message} The webhook will be sent again.`)
    },
  }
}

function attemptDocument(
  { delivery_id, event_id, event, attempt, attempts_total, url }: ListenerDelivery,
  { status, error, ms, headers = [], body }: Forwarded,
  verdict: ListenerVerdict | undefined,
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
    delivery_status: verdict?.status ?? null,
    next_attempt_at: verdict?.next_attempt_at ?? null,
    response_headers: headers,
    response_body: textOf(body),
    ...(body?.b64 !== undefined && { response_body_b64: body.b64 }),
    ...(body?.truncated !== undefined && { response_truncated: true }),
    ...(body?.note !== undefined && { response_note: body.note }),
  }
}
