// The merchant's own value, read until it is at rest: many handlers answer first and work afterwards.
import type { WallClock } from '../time/wall.ts'
import type { Subject } from './effect.ts'
import type { Probe } from './ports.ts'

export interface ProbeOptions {
  readonly label: string
  /** Reads once. @throws ProbeError */
  readonly read: (about: Subject) => Promise<string>
  readonly own: boolean
  /** ms the value must stay the same to count as settled. */
  readonly rest: number
  readonly wall: Pick<WallClock, 'setTimeout'>
}

/** A value that never rests is taken as it is after so many looks. */
const LOOKS = 50

export function createProbe({ label, read, own, rest, wall }: ProbeOptions): Probe {
  return {
    label,
    own,
    value: read,
    async settled(about) {
      let last = await read(about)
      for (let look = 1; look < LOOKS; look++) {
        await new Promise<void>((resolve) => void wall.setTimeout(resolve, rest))
        const now = await read(about)
        if (now === last) return now
        last = now
      }
      return last
    },
  }
}

const PLACES = { order_id: /\{order_id\}/g, payment_id: /\{payment_id\}/g } as const

/** True where the text asks for the order or payment at hand. */
export function asksForOne(text: string): boolean {
  return /\{(order|payment)_id\}|PSP_(ORDER|PAYMENT)_ID/.test(text)
}

/** A url with `{order_id}` and `{payment_id}` filled in. */
export function filledUrl(url: string, { order_id, payment_id }: Subject): string {
  return url
    .replace(PLACES.order_id, encodeURIComponent(order_id))
    .replace(PLACES.payment_id, encodeURIComponent(payment_id))
}
