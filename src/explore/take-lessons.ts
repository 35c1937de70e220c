// Sends the simple stories one at a time, and learns from them what the probes show.
import { isAccepted } from '../audit/judge.ts'
import { TargetUnreachableError } from '../audit/ports.ts'
import { type Case, pairReadings, readShop, runTwin } from './evaluate-case.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { type Lesson, learnMeanings, type Meanings, SIMPLE_STORIES } from './learn-meanings.ts'
import { measureLag, patientPorts, searchPorts } from './probe-lag.ts'
import { readOrders } from './read-orders.ts'
import { inOrderSchedule } from './schedule.ts'
import type { Story } from './story.ts'
import type { Twin } from './twin.ts'

export interface Lessons {
  readonly meanings: Meanings
  /** Ports whose probes wait for late effects, as long as these took in the lessons. */
  readonly ports: ExplorePorts
  /** Ports whose probes wait longer. A finding is confirmed with them. */
  readonly patient: ExplorePorts
  /** The time until an effect is visible, in ms. */
  readonly lag: number
  readonly sent: number
  /** Simple stories whose events were refused. */
  readonly failing: readonly Case[]
}

/** A round amount in minor units, which a handler that rounds keeps unchanged. */
export const LESSON_AMOUNT = 100_000

/** @throws TargetUnreachableError if nothing listens, ProbeError, OrdersExhaustedError */
export async function takeLessons(given: ExplorePorts, amount: number): Promise<Lessons> {
  let ports = given
  let lag = 0
  let sent = 0
  const lessons: Lesson[] = []
  const failing: Case[] = []
  for (const [at, steps] of SIMPLE_STORIES.entries()) {
    const story: Story = { amounts: { main: amount, control: amount }, steps }
    const twin = await runLesson(story, ports, at === 0)
    sent += twin.result.sent
    if (at === 0) {
      requireTarget(twin)
      lag = twin.lag
      ports = patientPorts(given, lag)
    }
    if (twin.result.isGone || twin.result.refused.length > 0) {
      const keys = twin.enacted.events.map(({ key }) => key)
      failing.push({ story: twin.enacted.story, schedule: inOrderSchedule(keys), again: false })
      if (twin.result.isGone) break
      continue
    }
    lessons.push({ enacted: twin.enacted, end: twin.result.end, shop: twin.shop })
  }
  // By now the first effects are old, so a late one is visible too.
  const settled = await Promise.all(
    lessons.map(async (lesson) => ({ ...lesson, end: await readOrders(lesson.enacted, ports, 'settled') })),
  )
  return { meanings: learnMeanings(settled), ports: searchPorts(given, lag), patient: ports, lag, sent, failing }
}

/** The first lesson also measures how long the effect takes to be visible. */
async function runLesson(
  story: Story,
  ports: ExplorePorts,
  isFirst: boolean,
): Promise<Twin & { readonly lag: number }> {
  const options = { ports, read: 'none', alone: true } as const
  if (!isFirst || ports.probes.length === 0)
    return { ...(await runTwin({ story, again: false }, undefined, options)), lag: 0 }
  // The probes are not read until the lag is known.
  const silent = { ...options, ports: { ...ports, probes: [] } }
  const before = await readShop(PLACEHOLDER, ports, 'once')
  const twin = await runTwin({ story, again: false }, undefined, silent)
  if (twin.result.isGone || twin.result.refused.length > 0) return { ...twin, lag: 0 }
  const isShop = ports.probes.every(({ own }) => !own)
  const read = async () =>
    isShop ? texts(await readShop(twin.enacted, ports, 'once')) : texts(await readOrders(twin.enacted, ports, 'quick'))
  const lag = await measureLag(ports, isShop ? texts(before) : '', read)
  const patient = patientPorts(ports, lag)
  const end = await readOrders(twin.enacted, patient, 'settled')
  const after = await readShop(twin.enacted, patient, 'settled')
  return { ...twin, result: { ...twin.result, end }, shop: pairReadings(before, after), lag }
}

const PLACEHOLDER = { orders: { main: '', control: '' }, events: [] }

function texts(readings: readonly { readonly text: string }[]): string {
  return readings.map(({ text }) => text).join('')
}

function requireTarget({ result }: Twin): void {
  const [first] = result.rounds.flatMap(({ attempts }) => attempts)
  if (first !== undefined && result.isGone && !isAccepted(first.response)) {
    throw new TargetUnreachableError(first.response.error ?? 'nothing listens')
  }
}
