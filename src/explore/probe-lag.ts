// Measures how long an effect takes to become visible, and makes the probes wait for it.
import type { Subject } from '../audit/effect.ts'
import type { Probe, Reading } from '../audit/ports.ts'
import { pause } from '../domain/promises.ts'
import type { ExplorePorts } from './explore-ports.ts'

/** Maximum time to wait for an effect, in ms. */
export const MAX_LAG = 3000
const PAUSE = 20

/**
 * Returns the time in ms until a probe shows a new value, or 0 if the first read shows one. Returns `undefined` if no
 * read does.
 * @param read returns the values of all probes as one string
 * @param max the longest time to wait, in ms, not counting the reads
 */
export async function measureLag(
  ports: ExplorePorts,
  before: string,
  read: () => Promise<string>,
  max: number,
): Promise<number | undefined> {
  const { systemClock } = ports
  const began = systemClock.monotonic()
  for (let look = 0; look * PAUSE < max; look++) {
    if ((await read()) !== before) return look === 0 ? 0 : Math.ceil(systemClock.monotonic() - began)
    await pause(PAUSE, systemClock)
  }
  return undefined
}

/**
 * If effects are late, a finding is confirmed with probes that wait this many times longer. A handler that works
 * through a queue takes several times longer for several messages. If effects are not late, a finding is confirmed with
 * the usual settle time (`--probe-settle`).
 */
export const SLOW_FACTOR = 3

/** Pause between the two reads that must be equal if effects are visible at once, in ms. */
const BRIEF = 10

/**
 * Returns ports for the search. If effects are visible at once, two equal reads in a short time count as settled,
 * because the search reads many values.
 * @param lag the time until an effect is visible, in ms
 */
export function searchPorts(ports: ExplorePorts, lag: number): ExplorePorts {
  if (lag > 0) return withWait(ports, lag)
  return withSettled(ports, async (probe, about) => {
    const first = await probe.once(about)
    await pause(BRIEF, ports.systemClock)
    const second = await probe.once(about)
    return first.text === second.text ? second : await probe.settled(about)
  })
}

/** Returns ports whose probes wait for late effects: a value is settled once it stays the same for twice the lag. */
export function withWait(ports: ExplorePorts, lag: number): ExplorePorts {
  return lag === 0 ? ports : withSettled(ports, (probe, about) => probe.settled(about, lag * 2))
}

function withSettled(ports: ExplorePorts, settled: (probe: Probe, about: Subject) => Promise<Reading>): ExplorePorts {
  const probes = ports.probes.map((probe): Probe => ({ ...probe, settled: (about) => settled(probe, about) }))
  return { ...ports, probes }
}
