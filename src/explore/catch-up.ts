// Waits until a handler that works after its response has handled every event that was sent so far.
import { enactStory } from './enact-story.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { SIMPLE_STORIES } from './learn-meanings.ts'
import { measureLag } from './probe-lag.ts'
import { readOrders } from './read-probes.ts'
import { runSchedule } from './run-schedule.ts'
import { inOrderSchedule } from './schedule.ts'

/** Maximum time to wait for the handler, in ms. */
const MAX_WAIT = 30_000

/**
 * Returns a function that sends a payment of a new order, and waits for its effect until the given time, but at most
 * `MAX_WAIT`. A worker handles events one after another, so it has then handled the earlier ones too. The function does
 * nothing without a probe of an order, or if the orders ran out.
 */
export function createCatchUp(ports: ExplorePorts, amount: number): (until: number) => Promise<void> {
  return async (until) => {
    if (!ports.probes.some(({ isPerOrder }) => isPerOrder)) return
    const main = await ports.order(amount)
    if (main === undefined) return
    const { random, systemClock, metadata = {} } = ports
    const story = { amounts: { main: amount, unrelated: amount }, steps: SIMPLE_STORIES[0] ?? [] }
    const enacted = enactStory(story, { random, orders: { main, unrelated: '' }, start: systemClock.now(), metadata })
    const texts = async () => (await readOrders(enacted, ports, 'once')).map(({ text }) => text).join('')
    const before = await texts()
    const keys = enacted.events.map(({ key }) => key)
    const withoutProbes = { ...ports, probes: [] }
    await runSchedule(enacted, inOrderSchedule(keys), withoutProbes, { read: 'none', resendsAll: false })
    await measureLag(ports, before, texts, Math.min(MAX_WAIT, until - systemClock.monotonic()))
  }
}
