// Reads the merchant's value until it settles, because many handlers respond first and work afterwards.
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Subject } from './effect.ts'
import type { Probe, Reading } from './ports.ts'
import { differing, fieldsOf } from './value.ts'
import { generalPath } from './volatile-fields.ts'

export interface ProbeOptions {
  readonly label: string
  /**
   * Reads the value.
   * @throws ProbeError
   */
  readonly read: (about: Subject) => Promise<Reading>
  readonly own: boolean
  /** The time for which the value must stay the same to count as settled, in ms. */
  readonly rest: number
  readonly systemClock: Pick<SystemClock, 'setTimeout'>
}

/** A field that still changes after this number of reads changes by itself. */
const LOOKS = 50
/** An effect that takes longer is not seen, in ms. */
const MAX_LAG = 3000
const LAG_PAUSE = 50

export function createProbe({ label, read, own, rest, systemClock }: ProbeOptions): Probe {
  const restless = new Set<string>()
  const apart = (a: Reading, b: Reading) =>
    differing(fieldsOf(a.text, [], restless), fieldsOf(b.text, [], restless)).map(generalPath)
  const learn = (paths: readonly string[]) => {
    for (const path of paths) restless.add(path)
  }
  const sleep = (ms: number) => new Promise<void>((resolve) => void systemClock.setTimeout(resolve, ms))
  let lag = 0
  let isLagKnown = false
  const probe: Probe = {
    label,
    own,
    once: read,
    // Read twice: a field that differs now is not an effect of a message.
    async value(about) {
      const first = await read(about)
      const second = await read(about)
      learn(apart(first, second))
      return second
    },
    async settled(about) {
      if (lag > 0) await sleep(2 * lag)
      let last = await read(about)
      let moving: readonly string[] = []
      for (let look = 1; look < LOOKS; look++) {
        await sleep(rest)
        const now = await read(about)
        moving = apart(last, now)
        last = now
        if (moving.length === 0) return now
      }
      learn(moving)
      return last
    },
    async awaitEffect(about, before) {
      if (isLagKnown) return undefined
      isLagKnown = true
      for (let waited = rest; waited < MAX_LAG; waited += LAG_PAUSE) {
        await sleep(LAG_PAUSE)
        if (apart(before, await read(about)).length === 0) continue
        lag = waited + LAG_PAUSE
        return await probe.settled(about)
      }
      return undefined
    },
    volatile: () => restless,
  }
  return probe
}

const PLACES = { order_id: /\{order_id\}/g, payment_id: /\{payment_id\}/g } as const

/** Returns whether the text asks for the current order or payment. */
export function asksForOne(text: string): boolean {
  return /\{(order|payment)_id\}|PSP_(ORDER|PAYMENT)_ID/.test(text)
}

/** Returns the URL with `{order_id}` and `{payment_id}` filled in. */
export function filledUrl(url: string, { order_id, payment_id }: Subject): string {
  return url
    .replace(PLACES.order_id, encodeURIComponent(order_id))
    .replace(PLACES.payment_id, encodeURIComponent(payment_id))
}
