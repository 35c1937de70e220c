// Opens an event stream of the sandbox for each recorded one, and compares their messages.
import type { SystemClock } from '../../system-clock/system-clock.ts'
import { compareStreams } from './compare-streams.ts'
import type { Difference } from './difference.ts'
import type { IdMap } from './id-map.ts'
import type { PreparedReplay } from './prepare-replay.ts'
import type { RecordedCall } from './recorded-call.ts'
import { readStream, type SandboxStream } from './sandbox-stream.ts'
import type { ServiceClock } from './service-clock.ts'
import { streamMessages } from './stream-messages.ts'

/** A stream may begin up to this many ms after its request. */
const OPENING = 100
/** A stream may lose the messages of this many ms before its end. */
const CLOSING = 100

export class ReplayStreams {
  readonly #calls: readonly RecordedCall[]
  readonly #clock: ServiceClock
  readonly #systemClock: SystemClock
  readonly #open = new Map<RecordedCall, SandboxStream>()

  constructor({ calls, clock }: Pick<PreparedReplay, 'calls' | 'clock'>, systemClock: SystemClock) {
    this.#calls = calls
    this.#clock = clock
    this.#systemClock = systemClock
  }

  open(call: RecordedCall, response: Response): void {
    this.#open.set(call, readStream(response, this.#systemClock))
  }

  /** Compares the messages. Returns `undefined` if the recording does not contain them. */
  async close(call: RecordedCall, ids: IdMap): Promise<Difference[] | undefined> {
    const stream = this.#open.get(call)
    // The sandbox refused the stream, which is a difference already.
    if (stream === undefined) return []
    this.#open.delete(call)
    const sandbox = await stream.messages()
    stream.close()
    const text = call.response?.text
    if (text === undefined) return undefined
    const end = this.#clock.timeAt(call.endedAt)
    const edges = new Set(this.#objectsAtStart(call).map(ids.get))
    return compareStreams({
      entry: call.number,
      recorded: streamMessages(text),
      sandbox,
      mapId: ids.get,
      isAtEdge: ({ group, at }) => edges.has(group) || at > end - CLOSING,
    })
  }

  /** Returns the objects that were created when the stream began, whose first messages it may lack. */
  #objectsAtStart({ startedAt }: RecordedCall): string[] {
    return this.#calls
      .filter((other) => other.startedAt < startedAt + OPENING && other.endedAt >= startedAt)
      .flatMap(({ shows }) => shows?.id ?? [])
  }
}
