// Measures how long an effect takes to become visible, and makes the probes wait for it.
import type { Probe } from '../audit/ports.ts'
import { type ExplorePorts, sleep } from './explore-ports.ts'

/** An effect that takes longer is not seen, in ms. */
const MAX_LAG = 3000
const PAUSE = 20

/**
 * Returns the time in ms until a probe shows a value other than before, or 0 if it does at once or never does.
 * @param read reads all probes as one text
 */
export async function measureLag(ports: ExplorePorts, before: string, read: () => Promise<string>): Promise<number> {
  const { systemClock } = ports
  const began = systemClock.monotonic()
  for (let look = 0; look * PAUSE < MAX_LAG; look++) {
    if ((await read()) !== before) return look === 0 ? 0 : Math.ceil(systemClock.monotonic() - began)
    await sleep(ports, PAUSE)
  }
  return 0
}

/** Returns probes whose settled value is at least twice the lag old. */
export function patientPorts(ports: ExplorePorts, lag: number): ExplorePorts {
  if (lag === 0) return ports
  const probes = ports.probes.map(
    (probe): Probe => ({
      ...probe,
      async settled(about) {
        await sleep(ports, lag * 2)
        return await probe.settled(about)
      },
    }),
  )
  return { ...ports, probes }
}
