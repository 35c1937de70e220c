// Explores a handler in this process.
import type { Message } from '../../../src/audit/check.ts'
import { CHECKS } from '../../../src/audit/checks.ts'
import type { HandlerResponse, Send } from '../../../src/audit/ports.ts'
import { createProbe } from '../../../src/audit/probe.ts'
import { type CheckReport, runAudit } from '../../../src/audit/run.ts'
import { WEBHOOK_EVENTS } from '../../../src/domain/events.ts'
import type { WallTime } from '../../../src/domain/time.ts'
import { explore } from '../../../src/explore/explore.ts'
import type { ExploreOptions, ExploreReport } from '../../../src/explore/explore-options.ts'
import type { ExplorePorts } from '../../../src/explore/explore-ports.ts'
import type { Finding } from '../../../src/explore/finding.ts'
import { type Replay, replayFinding } from '../../../src/explore/replay-finding.ts'
import { seededRandomness } from '../../../src/random.ts'
import { verifyWebhook } from '../../../src/webhooks/index.ts'
import { manualSystemClock } from '../../time/manual-system-clock.ts'
import type { Handler, Sleep, WebhookEvent } from './handler.ts'

/** Returns a clock whose timers fire in the next turn. Its time moves on by the timers only, so no test waits. */
function createFastClock(): ExplorePorts['systemClock'] {
  let elapsed = 0
  return {
    now: () => (Date.parse('2026-01-01') + elapsed) as WallTime,
    monotonic: () => elapsed,
    setTimeout(fn, ms) {
      const at = elapsed + ms
      setImmediate(() => {
        elapsed = Math.max(elapsed, at)
        fn()
      })
      return { cancel() {}, unref() {} }
    },
  }
}

interface HandlerPorts {
  readonly seed?: number
  /** `none`: neither a probe of orders nor of the balance. */
  readonly probes?: 'both' | 'none'
  /** The clock of a handler that works after its response. By default timers fire in the next turn. */
  readonly systemClock?: ExplorePorts['systemClock']
}

export function portsOf(handler: Handler, { seed = 1, probes = 'both', systemClock }: HandlerPorts = {}): ExplorePorts {
  const clock = systemClock ?? createFastClock()
  const probe = (label: string, isPerOrder: boolean, read: (order: string) => unknown) =>
    createProbe({
      label,
      isPerOrder,
      settleTime: systemClock === undefined ? 1 : 20,
      systemClock: clock,
      async read({ order_id }) {
        const value = read(order_id)
        if (value === undefined) return { text: '', note: 'responded 404' }
        return { text: typeof value === 'string' ? value : JSON.stringify(value) }
      },
    })
  let orders = 0
  return {
    send: (message) => sendTo(handler, message, clock),
    probes:
      probes === 'none'
        ? []
        : [
            probe('orders/{order_id}', true, (order) => handler.order(order)),
            probe('balance', false, () => handler.balance()),
          ],
    secret: 'whs_explore_secret',
    systemClock: clock,
    random: seededRandomness(`ids ${seed}`),
    async order() {
      const order = `order-${seed}-${++orders}`
      handler.create?.(order)
      return order
    },
  }
}

/** The status of a handler that never responds. */
export const HANG = 0
/** The status of a handler that no longer accepts connections. */
const GONE = -1
/** The status of a handler that closes the connection without a response. */
export const CRASH = -2
const TIMEOUT = 15_000

async function sendTo(
  handler: Handler,
  { body }: Message,
  systemClock: ExplorePorts['systemClock'],
): Promise<HandlerResponse> {
  const event = JSON.parse(Buffer.from(body).toString('utf8')) as WebhookEvent
  const status = await handler.handle(event).catch(() => 500)
  if (status === HANG) {
    await new Promise<void>((resolve) => void systemClock.setTimeout(resolve, TIMEOUT))
    return { error: 'no response within 15 s', code: 'ETIMEDOUT', ms: TIMEOUT, text: '' }
  }
  if (status === CRASH) return { error: 'closed the connection', code: 'ECONNRESET', ms: 1, text: '' }
  if (status === GONE) return { error: 'nothing listens', code: 'ECONNREFUSED', ms: 1, text: '' }
  return { status, ms: 1, text: '' }
}

export async function exploreHandler(
  handler: Handler,
  options: Partial<ExploreOptions> & HandlerPorts = {},
): Promise<ExploreReport> {
  const { seed = 1 } = options
  return await explore({
    time: 3_600_000,
    maxMessages: 2000,
    concurrency: 8,
    ...options,
    seed,
    ports: portsOf(handler, options),
  })
}

/**
 * Runs work with a clock that moves on whenever all work waits for it, so the speed of the machine has no influence.
 * @returns the result, and the time on that clock in ms
 */
export async function onDrivenClock<T>(
  work: (systemClock: ExplorePorts['systemClock'], sleep: Sleep) => Promise<T>,
): Promise<{ readonly result: T; readonly ms: number }> {
  const systemClock = manualSystemClock(Date.parse('2026-01-01'))
  const sleep: Sleep = (ms) => new Promise<void>((resolve) => void systemClock.setTimeout(resolve, ms))
  let isDone = false
  const running = work(systemClock, sleep).finally(() => {
    isDone = true
  })
  // A rejection is thrown below.
  running.catch(() => {})
  while (!isDone) await systemClock.advance(10)
  return { result: await running, ms: systemClock.monotonic() }
}

export async function replayReport(handler: Handler, finding: Finding): Promise<Replay> {
  return await replayFinding(finding.case, portsOf(handler))
}

/** Returns whether the case of a finding fails again. */
export async function replayHandler(handler: Handler, finding: Finding): Promise<boolean> {
  return (await replayReport(handler, finding)).finding !== undefined
}

/** The handler behind a route that verifies signatures, and accepts events that it does not know. */
function verifying(handler: Handler, { secret, systemClock }: ExplorePorts): Send {
  return async (message) => {
    const { headers, body } = message
    const result = verifyWebhook(Buffer.from(body), Object.fromEntries(headers), secret, { now: systemClock.now() })
    if (!result.valid) return { status: 400, ms: 1, text: '' }
    const isKnown = WEBHOOK_EVENTS.some((name) => name === result.event.event)
    return isKnown ? await sendTo(handler, message, systemClock) : { status: 200, ms: 1, text: '' }
  }
}

/** Runs all checks. Returns the ids of those that do not pass. */
export async function checkHandler(handler: Handler, options: HandlerPorts = {}): Promise<string[]> {
  const ports = portsOf(handler, options)
  const checks = await runChecks({ ...ports, send: verifying(handler, ports) })
  return checks.filter(({ result }) => result !== 'pass').map(({ id }) => id)
}

async function runChecks(ports: ExplorePorts): Promise<readonly CheckReport[]> {
  const { send, probes, secret, systemClock, random, order } = ports
  const orders = await Promise.all(Array.from({ length: 30 }, () => order(150_000)))
  const report = await runAudit({
    target: 'http://shop.test/hooks',
    checks: CHECKS,
    values: () => ({
      secret,
      now: systemClock.now(),
      random,
      amount: 150_000,
      order: () => orders.shift() ?? '',
      metadata: {},
    }),
    send,
    probes,
    known: [],
  })
  return report.checks
}
