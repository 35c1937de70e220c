import type { WallClock } from '../system-clock/system-clock.ts'

/** Long enough to get on, short enough that a request hardly notices. */
const SLICE = 4

/** A share of the event loop's time. Who has spent it gives way to waiting I/O. */
export interface Slice {
  spent(): boolean
  renew(): void
  /** Resolves in a later turn of the event loop, with a fresh share. */
  giveWay(): Promise<void>
}

export function createSlice(wall: Pick<WallClock, 'monotonic' | 'nextTurn'>): Slice {
  let end = wall.monotonic() + SLICE
  const renew = () => {
    end = wall.monotonic() + SLICE
  }
  return {
    spent: () => wall.monotonic() >= end,
    renew,
    async giveWay() {
      await new Promise<void>((resolve) => wall.nextTurn(resolve))
      renew()
    },
  }
}
