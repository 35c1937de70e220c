// Delivers the events of a story once, as a schedule says. Then retries each event that did not get a 2xx.
import type { Message } from '../audit/check.ts'
import { type HandlerResponse, ProbeError } from '../audit/ports.ts'
import { isAccepted } from '../domain/http-response.ts'
import { signatureHeader, webhookHeaders } from '../domain/signatures.ts'
import { type BrokenReason, brokenBy, isRefusedConnection, TimeOverError } from './broken-run.ts'
import type { EnactedStory } from './enact-story.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { type OrderReading, type ReadMode, readOrders } from './read-probes.ts'
import type { Schedule, ScheduledDelivery } from './schedule.ts'
import type { StoryEvent } from './story-event.ts'

export interface SentMessage {
  readonly event: string
  readonly response: HandlerResponse
}

/** Messages that were sent at the same time, and the values of the probes after them. */
export interface SentRound {
  readonly messages: readonly SentMessage[]
  /** Events that got a 2xx so far, in the order of the story. */
  readonly accepted: readonly StoryEvent[]
  readonly readings: readonly OrderReading[]
}

export interface RunResult {
  readonly rounds: readonly SentRound[]
  /** The values of the probes after all retries, and before all events are sent again. */
  readonly end: readonly OrderReading[]
  /** The values of the probes after all events were sent again. Omitted if they were not. */
  readonly afterResend?: readonly OrderReading[]
  /** Events that never got a 2xx. Each had at least nine attempts, unless the run was broken off. */
  readonly refused: readonly string[]
  /** Why the run was broken off, if it was. */
  readonly broken: BrokenReason | undefined
  /** Number of messages that were sent. */
  readonly sent: number
}

export interface RunOptions {
  /** How the probes are read after each round. */
  readonly read: ReadMode
  readonly resendsAll: boolean
  /** No message is sent after this time, in ms of the monotonic clock. */
  readonly until?: number | undefined
}

/** A first attempt and eight retries (spec 6.1). */
const MAX_ATTEMPTS = 9
/** To lose a response, the sender closes the connection after this time, in ms. */
const LOST_AFTER = 3

/** @throws ProbeError, TimeOverError */
export async function runSchedule(
  enacted: EnactedStory,
  schedule: Schedule,
  ports: ExplorePorts,
  { read, resendsAll, until = Infinity }: RunOptions,
): Promise<RunResult> {
  const { events } = enacted
  const accepted = new Set<string>()
  const attempts = new Map<string, number>()
  const rounds: SentRound[] = []
  let sent = 0
  let broken: BrokenReason | undefined

  for (const round of schedule) await sendRound(round, read)
  // Retries come last, in the order of the story. A handler may refuse an event until it has received the earlier ones.
  for (let pass = 1; unaccepted().length > 0 && broken === undefined; pass++) {
    if (pass > 1) await readState('settled')
    for (const { key } of unaccepted()) await sendRound([{ event: key, copies: 1 }], read)
  }
  const refused = events.filter(({ key }) => !accepted.has(key)).map(({ key }) => key)
  const end = await readState('settled')
  const result = { rounds, end, refused }
  if (!resendsAll) return { ...result, broken, sent }
  const repeats: SentRound[] = []
  for (const { key } of events) await sendRound([{ event: key, copies: 1 }], 'none', repeats)
  const afterwards = await readState('settled', repeats)
  // The rounds contain the repeats only if one of these broke the handler.
  if (broken !== undefined) return { ...result, rounds: [...rounds, ...repeats], broken, sent }
  return { ...result, broken, sent, afterResend: afterwards }

  async function sendRound(round: readonly ScheduledDelivery[], mode: ReadMode, log = rounds): Promise<void> {
    if (broken !== undefined) return
    if (ports.systemClock.monotonic() >= until) throw new TimeOverError('The time is over.')
    const messages = (await Promise.all(round.flatMap((one) => deliver(one)))).flat()
    for (const { event, response } of messages) if (isAccepted(response)) accepted.add(event)
    broken = brokenBy(messages.map(({ response }) => response))
    const known = events.filter(({ key }) => accepted.has(key))
    const sentRound = { messages, accepted: known, readings: [] as readonly OrderReading[] }
    log.push(sentRound)
    sentRound.readings = await readState(mode, log)
  }

  async function readState(mode: ReadMode, log = rounds): Promise<readonly OrderReading[]> {
    if (broken !== undefined) return []
    try {
      return await readOrders(enacted, ports, mode)
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error
      if (error.isOfTarget) broken = 'gone'
      else await checkHandler(error, log)
      return []
    }
  }

  /** Sends the last event again, because a probe also fails if the handler has crashed or hangs. */
  async function checkHandler(error: ProbeError, log: SentRound[]): Promise<void> {
    const last = log.at(-1)?.messages.at(-1)?.event
    const event = events.find(({ key }) => key === last)
    if (event === undefined) throw error
    const message = await sendOnce(event)
    broken = brokenBy([message.response])
    if (broken === undefined) throw error
    log.push({ messages: [message], accepted: log.at(-1)?.accepted ?? [], readings: [] })
  }

  function unaccepted(): readonly StoryEvent[] {
    return events.filter(({ key }) => !accepted.has(key) && (attempts.get(key) ?? 0) < MAX_ATTEMPTS)
  }

  function deliver({ event: key, copies, response_lost }: ScheduledDelivery): Promise<SentMessage[]>[] {
    const event = events.find((one) => one.key === key)
    if (event === undefined) return []
    attempts.set(key, (attempts.get(key) ?? 0) + copies)
    if (response_lost === true) return [deliverTwice(event)]
    return Array.from({ length: copies }, async () => [await sendOnce(event)])
  }

  async function deliverTwice(event: StoryEvent): Promise<SentMessage[]> {
    const first = await sendOnce(event, LOST_AFTER)
    return [{ ...first, response: asLost(first.response) }, await sendOnce(event)]
  }

  async function sendOnce(event: StoryEvent, abandonAfter?: number): Promise<SentMessage> {
    sent++
    return { event: event.key, response: await ports.send(messageOf(event, ports, abandonAfter)) }
  }
}

function messageOf({ id, body }: StoryEvent, { secret, systemClock }: ExplorePorts, abandonAfter?: number): Message {
  const timestamp = Math.floor(systemClock.now() / 1000)
  const headers = webhookHeaders(id, timestamp, signatureHeader({ body, secret, timestamp }))
  return { headers, body: Buffer.from(body), ...(abandonAfter !== undefined && { abandonAfter }) }
}

/** A lost response counts as no response, unless nothing listens. */
function asLost(response: HandlerResponse): HandlerResponse {
  if (isRefusedConnection(response)) return response
  return { ms: response.ms, text: '', error: 'the response was lost', code: 'ABANDONED' }
}
