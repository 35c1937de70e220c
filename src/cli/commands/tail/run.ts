import type { Client } from '../../../client/client.ts'
import { ApiError, UnexpectedResponseError } from '../../../client/errors.ts'
import { follow, type StreamEvent, type StreamState } from '../../../client/follow.ts'
import { formatMoney } from '../../../domain/currency.ts'
import { STREAM_KINDS } from '../../../domain/events.ts'
import { unlessAborted } from '../../../domain/promises.ts'
import { formatTimeOfDay } from '../../../domain/time-text.ts'
import { sanitizeLine, sanitizeText, truncateChars } from '../../../terminal/sanitize.ts'
import type { NoArguments, Run } from '../../command.ts'
import { type Paint, paintStatus } from '../../output/colour.ts'
import { TIME_INDENT, wrapLine } from '../../output/lines.ts'
import { noteClock } from '../../output/notes.ts'
import { oneOf } from '../../parsing/parse.ts'
import { endCode } from '../../process/signals.ts'
import type { Session, Target } from '../../session.ts'
import { defaultShop } from '../../target/resolve-objects.ts'
import type { TAIL_FLAGS } from '../tail.ts'

export const run: Run<NoArguments, typeof TAIL_FLAGS> = async ({ flags, session }) => {
  const kinds = new Set(flags.kinds.flatMap((text) => text.split(',')).map((text) => oneOf(text, STREAM_KINDS)))
  const { signals, values } = session
  const target = await session.target('server')
  // The stream uses a separate key, but a wrong configured key is still an error.
  if (values.api_key !== undefined) await unlessAborted(target.client.banks().catch(throwIfKeyRejected), signals.ended)
  const key = await unlessAborted(createStreamKey(target, flags.shop, session), signals.ended)
  try {
    await unlessAborted(noteClock(target.client, session, 'sandbox'), signals.ended)
    for await (const message of follow(streamOf(session, key.client))) {
      if (kinds.size === 0 || kinds.has(message.event as (typeof STREAM_KINDS)[number]))
        print(session, message, flags.raw)
    }
  } finally {
    session.keepOpenFor(key.revoke())
  }
  return endCode(signals)
}

/** Other errors are ignored here, because opening the stream reports them. */
function throwIfKeyRejected(error: unknown): void {
  if (error instanceof ApiError && (error.status === 401 || error.status === 403)) throw error
}

function streamOf({ host, signals, out }: Session, client: Client) {
  let lost = false
  return {
    connect: (_lastEventId: string | undefined, signal: AbortSignal) => client.events(signal),
    timers: host.systemClock,
    signal: signals.ended,
    onState(state: StreamState) {
      if (state.state === 'lost') {
        if (!lost)
          out.warn(`Connection lost (${state.reason}). Reconnecting. The stream does not repeat missed messages.`)
        lost = true
        return
      }
      lost = false
      out.note(out.notePaint.dim(state.isReconnect ? 'Connected again.' : 'Following the event stream. Ctrl-C stops.'))
    },
  }
}

/** A key has only one stream (spec 6.2), and the application may use the stream of the configured key. */
async function createStreamKey({ client, kind, withKey }: Target, shop: string | undefined, { out, values }: Session) {
  try {
    const { id, api_key } = await client.control.keys.create(shop ?? (await defaultShop(client)), { mode: 'test' })
    return { client: withKey(api_key), revoke: () => client.control.keys.revoke(id).catch(() => {}) }
  } catch (error) {
    const noControl = error instanceof ApiError || error instanceof UnexpectedResponseError
    if (!(kind === 'url' && noControl && values.api_key !== undefined)) throw error
    out.warn(
      'The server has no control API, so this command uses the given key. An application with that key is disconnected.',
    )
    return { client, revoke: async () => {} }
  }
}

function print({ out }: Session, { event, data }: StreamEvent, raw: boolean): void {
  if (raw) out.text(`event: ${event}\ndata: ${sanitizeText(data)}\n\n`)
  else if (out.json) out.document(JSON.parse(data))
  else out.line(wrapLine(streamLine(JSON.parse(data) as StreamData, out.paint), out.columns, TIME_INDENT))
}

/** The data of a public stream message (spec 6.2). The real service may omit fields. */
interface StreamData {
  readonly kind: string
  readonly at: string
  readonly payload: {
    readonly id?: string
    readonly status?: string
    readonly previous_status?: string
    readonly amount?: number
    readonly currency?: string
    readonly order_id?: string
    readonly payment_id?: string
  }
}

/** `12:00:01.123  payment.status_changed  3f2a…  pending -> processing  1 500.00 RUB  order ord_1764…`. */
function streamLine({ kind, at, payload }: StreamData, paint: Paint): string {
  const { id, status, previous_status, amount, currency, order_id, payment_id } = payload
  const to = status === undefined ? '' : paintStatus(paint, sanitizeLine(status))
  const parts = [
    paint.dim(formatTimeOfDay(at)),
    paint.name(sanitizeLine(kind)),
    sanitizeLine(id ?? ''),
    previous_status === undefined ? to : `${sanitizeLine(previous_status)} -> ${to}`,
    amount !== undefined ? sanitizeLine(formatMoney(amount, currency ?? '')) : '',
    order_id !== undefined ? `order ${truncateChars(sanitizeLine(order_id), 100)}` : '',
    payment_id !== undefined ? `payment ${sanitizeLine(payment_id)}` : '',
  ]
  return parts.filter((part) => part !== '').join('  ')
}
