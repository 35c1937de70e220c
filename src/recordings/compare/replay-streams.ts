// Opens an event stream of the sandbox for each recorded one, and compares their messages.
import type { SystemClock } from '../../system-clock/system-clock.ts'
import type { ChangePeriod, ChangePeriods } from './change-periods.ts'
import { compareStreams } from './compare-streams.ts'
import type { Difference } from './difference.ts'
import type { IdMap } from './id-map.ts'
import type { PreparedReplay } from './prepare-replay.ts'
import type { RecordedCall } from './recorded-call.ts'
import type { ServiceClock } from './service-clock.ts'
import { type ObservedMessage, observedMessages } from './stream-messages.ts'

/** The recording may lack messages of this many ms at the end of a stream: a proxy notices late that it closed. */
const CLOSING = 1000

export class ReplayStreams {
  readonly #periods: ChangePeriods
  readonly #clock: ServiceClock
  readonly #systemClock: SystemClock
  readonly #open = new Map<RecordedCall, SandboxStream>()

  constructor({ periods, clock }: Pick<PreparedReplay, 'periods' | 'clock'>, systemClock: SystemClock) {
    this.#periods = periods
    this.#clock = clock
    this.#systemClock = systemClock
  }

  /** Reads all messages that were sent so far. If a new stream ends the open ones, unread messages are lost. */
  async readSent(): Promise<void> {
    for (const stream of this.#open.values()) await stream.messages()
  }

  open(call: RecordedCall, response: Response): void {
    this.#open.set(call, readStream(response, this.#systemClock))
  }

  /**
   * Compares the messages. Returns `undefined` if the recording does not contain them.
   * @param end the end of the stream, by the clock of the recording machine
   */
  async close(call: RecordedCall, end: number, ids: IdMap): Promise<Difference[] | undefined> {
    const stream = this.#open.get(call)
    // The sandbox refused the stream. This difference was already reported.
    if (stream === undefined) return []
    this.#open.delete(call)
    const sandbox = await stream.messages()
    stream.close()
    const text = call.response?.text
    if (text === undefined) return undefined
    return compareStreams({
      entry: call.number,
      recorded: observedMessages(text),
      sandbox,
      mapId: ids.get,
      isAtEdge: (message) => {
        const { from, to } = this.#periodOf(message, ids)
        return from < call.respondedAt || to > end - CLOSING
      },
    })
  }

  /** Returns the period in which the recorded service may have sent the message. */
  #periodOf(message: ObservedMessage, ids: IdMap): ChangePeriod {
    const id = ids.recordedIdOf(message.id)
    const at = this.#clock.recordedAt(message.at)
    return (id === undefined ? undefined : this.#periods.periodOf(message, id)) ?? { from: at, to: at }
  }
}

/** An open event stream of the sandbox. */
interface SandboxStream {
  /** Reads everything that was already sent, and returns all messages so far. */
  messages(): Promise<readonly ObservedMessage[]>
  close(): void
}

/** After this number of event-loop turns without a new byte, all messages are read. */
const QUIET_TURNS = 5

function readStream({ body }: Response, systemClock: Pick<SystemClock, 'nextTurn'>): SandboxStream {
  let text = ''
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  void read().catch(() => {})

  async function read(): Promise<void> {
    for (;;) {
      const piece = await reader?.read()
      if (piece?.value === undefined) return
      text += decoder.decode(piece.value, { stream: true })
    }
  }

  return {
    async messages() {
      for (let quiet = 0, before = -1; quiet < QUIET_TURNS; quiet++) {
        if (text.length !== before) quiet = 0
        before = text.length
        await new Promise<void>((done) => systemClock.nextTurn(done))
      }
      return observedMessages(text)
    },
    close: () => void reader?.cancel().catch(() => {}),
  }
}
