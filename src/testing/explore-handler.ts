// `psp.explore()`: searches for the order of events that breaks a webhook handler, from a test.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type HandlerResponse, ProbeError, type Send } from '../audit/ports.ts'
import { createProbe } from '../audit/probe.ts'
import { createSend } from '../audit/send.ts'
import { requireObject } from '../client/call-arguments.ts'
import { createNodeFetch } from '../client/node-fetch.ts'
import { requireKnownOptions } from '../domain/known-options.ts'
import { formatDuration } from '../domain/time.ts'
import { requireAddress } from '../domain/typed-address.ts'
import { quote } from '../domain/zod-messages.ts'
import { explore } from '../explore/explore.ts'
import { requireNewOrders } from '../explore/explore-ports.ts'
import type { Finding } from '../explore/finding.ts'
import { noStoryError } from '../explore/no-story.ts'
import { saveFinding } from '../explore/save-finding.ts'
import { systemRandomness } from '../random.ts'
import { createSystemClock, type SystemClock } from '../system-clock/system-clock.ts'
import { checkNumber } from './check-options.ts'
import { describeFindings } from './describe-findings.ts'
import {
  type ExploredHandler,
  type ExploreHandlerOptions,
  HandlerBugError,
  type HandlerReport,
} from './explore-options.ts'

const OPTIONS = {
  order: true,
  balance: true,
  createOrder: true,
  time: true,
  deliveries: true,
  seed: true,
  lanes: true,
  settle: true,
  timeout: true,
  save: true,
} satisfies Record<keyof ExploreHandlerOptions, true>
/** The smallest and the largest value of each numeric option. */
const NUMBERS = {
  time: [1, 86_400_000],
  deliveries: [1, 1_000_000],
  seed: [0, Number.MAX_SAFE_INTEGER],
  lanes: [1, 64],
  settle: [1, 60_000],
  timeout: [1, 600_000],
} as const
const CALLBACKS = ['order', 'balance', 'createOrder'] as const

const DEFAULTS = { time: 10_000, deliveries: 500, lanes: 8, settle: 20, timeout: 15_000, save: 'psp-found' }
const MAX_SEED = 1_000_000

/**
 * @throws HandlerBugError if the handler breaks a rule; TypeError for an invalid option; Error if no story was finished
 */
export async function exploreHandler(
  secret: string,
  handler: ExploredHandler,
  given: ExploreHandlerOptions = {},
): Promise<HandlerReport> {
  const options = { ...DEFAULTS, ...checkedOptions(given) }
  const random = systemRandomness()
  const seed = options.seed ?? Math.floor(random.draw() * MAX_SEED)
  const systemClock = createSystemClock()
  const { send, close } = senderOf(handler, options.timeout, systemClock)
  const probe = (label: 'order' | 'balance', isPerOrder: boolean, read: (order: string) => unknown) =>
    createProbe({
      label,
      isPerOrder,
      settleTime: options.settle,
      systemClock,
      read: async ({ order_id }) => readingOf(await limited(label, () => read(order_id))),
    })
  /** Calls a function of the options, and throws if it does not return a value within `timeout`, like a response. */
  const limited = async <T>(option: (typeof CALLBACKS)[number], call: () => T | Promise<T>): Promise<T> =>
    await withinTime(
      async () => await call(),
      options.timeout,
      systemClock,
      () => {
        const hint = 'Make the function faster, or raise timeout.'
        const message = `${option}: no value within ${formatDuration(options.timeout)}. ${hint}`
        throw option === 'createOrder' ? new Error(message) : new ProbeError(message, hint)
      },
    )
  const { order, balance, createOrder, time, deliveries, lanes } = options
  try {
    const report = await explore({
      ports: {
        send,
        probes: [
          ...(order === undefined ? [] : [probe('order', true, order)]),
          ...(balance === undefined ? [] : [probe('balance', false, () => balance())]),
        ],
        secret,
        systemClock,
        random,
        order: requireNewOrders(
          async (amount) =>
            createOrder === undefined
              ? `explore-${random.token(12)}`
              : requireOrderId(await limited('createOrder', () => createOrder(amount))),
          (id) => new Error(`createOrder returned the order ${id} twice. Let it create a new order each time.`),
        ),
      },
      seed,
      time,
      maxMessages: deliveries,
      concurrency: lanes,
    })
    const { findings, stories, situations, notJudged, end } = report
    const probes = (['order', 'balance'] as const).filter((name) => options[name] !== undefined).join(' and ')
    const names = { time: 'time', deliveries: 'deliveries', probes, orders: 'createOrder' }
    const unfinished = noStoryError(report, time, names)
    if (unfinished !== undefined) throw new Error(`${unfinished.message} ${unfinished.hint}`)
    if (findings.length === 0) return { seed, stories, deliveries: report.deliveries, situations, notJudged, end }
    const files = options.save === false ? [] : saveFindings(options.save, findings)
    throw new HandlerBugError(
      describeFindings(seed, findings, files, typeof handler === 'string' ? handler : undefined),
      seed,
      findings,
      files,
    )
  } finally {
    close()
  }
}

function checkedOptions(given: ExploreHandlerOptions): ExploreHandlerOptions {
  const options = requireObject('explore', given)
  requireKnownOptions('explore', options, Object.keys(OPTIONS))
  for (const [name, [min, max]] of Object.entries(NUMBERS))
    checkNumber(name, options[name as keyof typeof NUMBERS], min, max)
  for (const name of CALLBACKS) {
    const callback: unknown = options[name]
    if (callback !== undefined && typeof callback !== 'function')
      throw new TypeError(`${name}: expected a function, got ${quote(callback)}.`)
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function requireOrderId(id: unknown): string {
  if (typeof id === 'string' && id !== '') return id
  throw new TypeError(`createOrder: expected the id of an order as a string, got ${quote(id)}.`)
}

function readingOf(value: unknown): { text: string; note?: string } {
  if (value === undefined || value === null) return { text: '', note: 'returned no value' }
  if (typeof value === 'string') return { text: value }
  const text = JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? Number(field) : field))
  return { text: text ?? String(value) }
}

function senderOf(
  handler: ExploredHandler,
  timeout: number,
  systemClock: SystemClock,
): { readonly send: Send; close(): void } {
  if (typeof handler === 'function') return { send: createFunctionSend(handler, timeout, systemClock), close() {} }
  if (typeof handler !== 'string') {
    const got = handler === null ? 'null' : typeof handler
    throw new TypeError(`explore: expected a URL as a string, or a function from Request to Response, got ${got}.`)
  }
  const url = requireAddress(handler, 'receiver', 'explore')
  const { fetch, close } = createNodeFetch({ keepAlive: false })
  return { send: createSend({ url, fetch, timeout, pause: 0, headers: [], systemClock }), close }
}

/** Calls a handler function. The call cannot be aborted. If a response must be lost, `run-schedule.ts` discards it. */
function createFunctionSend(
  handler: Exclude<ExploredHandler, string>,
  timeout: number,
  systemClock: SystemClock,
): Send {
  return async ({ headers, body }) => {
    const began = systemClock.monotonic()
    const ms = () => Math.round(systemClock.monotonic() - began)
    const request = new Request('http://handler.test/hooks', {
      method: 'POST',
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: new Uint8Array(body),
    })
    const responded = (async (): Promise<HandlerResponse> => {
      const response = await handler(request)
      return { status: response.status, ms: ms(), text: (await response.text()).slice(0, MAX_TEXT) }
    })().catch((error: unknown): HandlerResponse => ({ status: 500, ms: ms(), text: String(error) }))
    return await withinTime(
      async () => await responded,
      timeout,
      systemClock,
      () => ({ error: `no response within ${timeout} ms`, code: 'ETIMEDOUT', ms: timeout, text: '' }),
    )
  }
}

/** Returns the result of `work`. If `work` takes longer than `timeout` ms, returns the result of `late`. */
async function withinTime<T>(
  work: () => Promise<T>,
  timeout: number,
  systemClock: SystemClock,
  late: () => T,
): Promise<T> {
  let cancel = () => {}
  const isLate = new Promise<void>((resolve) => {
    const timer = systemClock.setTimeout(resolve, timeout)
    cancel = () => timer.cancel()
  })
  return await Promise.race([work(), isLate.then(late)]).finally(() => cancel())
}

const MAX_TEXT = 500

function saveFindings(folder: string, findings: readonly Finding[]): string[] {
  mkdirSync(folder, { recursive: true })
  return findings.map((finding) => resolve(join(folder, saveFinding(folder, finding))))
}
