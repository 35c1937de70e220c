// Reads a value of the shop until it settles, because many handlers respond first and work afterwards.
import { pause } from '../domain/promises.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Subject } from './effect.ts'
import { generalPath } from './mask-values.ts'
import type { Probe, Reading } from './ports.ts'
import { differing, fieldsOf } from './probe-fields.ts'

export interface ProbeOptions {
  readonly label: string
  /** @throws ProbeError */
  readonly read: (about: Subject) => Promise<Reading>
  readonly isPerOrder: boolean
  /** The time for which the value must stay the same, in ms. A known lag or `setLongWait(true)` makes it longer. */
  readonly settleTime: number
  readonly systemClock: Pick<SystemClock, 'setTimeout' | 'monotonic'>
}

/** A field that still changes after this number of reads counts as changing by itself. */
const MAX_READS = 50
/** Maximum time to wait for a late effect, in ms. */
const MAX_LAG = 3000
const LAG_PAUSE = 50
/**
 * After `setLongWait(true)`, a value must stay the same for this many times `settleTime`, unless late effects are
 * known. A handler that works through a queue takes several times longer for several messages.
 */
const LONG_WAIT_FACTOR = 6
/** The maximum number of unchanged reads before a value counts as settled. Longer waits have longer pauses. */
const SETTLED_READS = 4

export function createProbe({ label, read, isPerOrder, settleTime, systemClock }: ProbeOptions): Probe {
  const volatileFields = new Set<string>()
  const apart = (a: Reading, b: Reading) =>
    differing(fieldsOf(a.text, [], volatileFields), fieldsOf(b.text, [], volatileFields)).map(generalPath)
  const learn = (paths: readonly string[]) => {
    for (const path of paths) volatileFields.add(path)
  }
  let lag = 0
  let isLagKnown = false
  let waitsLong = false
  /** The time at which `settled` was last called, just after the responses. */
  let began = 0
  // A handler whose effects are late may work at intervals, so a long wait allows for the longest possible lag.
  const longWait = () => (lag > 0 ? MAX_LAG : LONG_WAIT_FACTOR * settleTime)
  const requiredTime = () => Math.max(settleTime, 2 * lag, waitsLong ? longWait() : 0)
  const probe: Probe = {
    label,
    isPerOrder,
    once: read,
    // A field that differs now is not an effect of a message.
    async learnVolatile(about) {
      const first = await read(about)
      const second = await read(about)
      learn(apart(first, second))
      return second
    },
    async settled(about, atLeast = 0) {
      began = systemClock.monotonic()
      const enough = Math.max(requiredTime(), atLeast)
      const interval = Math.max(settleTime, enough / SETTLED_READS)
      let last = await read(about)
      let moving: readonly string[] = []
      let unchanged = 0
      for (let reads = 1; reads < MAX_READS; reads++) {
        await pause(interval, systemClock)
        const now = await read(about)
        moving = apart(last, now)
        last = now
        unchanged = moving.length === 0 ? unchanged + interval : 0
        if (unchanged >= enough) return now
      }
      learn(moving)
      return last
    },
    async awaitEffect(about, before) {
      if (isLagKnown) return undefined
      isLagKnown = true
      for (let waited = settleTime; waited < MAX_LAG; waited += LAG_PAUSE) {
        await pause(LAG_PAUSE, systemClock)
        if (apart(before, await read(about)).length === 0) continue
        // On a busy computer, pauses and reads take longer than they should.
        lag = Math.max(waited + LAG_PAUSE, Math.ceil(systemClock.monotonic() - began))
        return await probe.settled(about)
      }
      return undefined
    },
    setLongWait(value) {
      waitsLong = value
      if (value) isLagKnown = false
    },
    volatile: () => volatileFields,
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
