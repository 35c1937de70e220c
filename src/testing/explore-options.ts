// The options and the result of `psp.explore()`. Separate from its code, which a test suite loads only if it explores.
import type { ExploreReport } from '../explore/explore-options.ts'
import type { Finding } from '../explore/finding.ts'

/** A URL, or a function from request to response, such as a route handler. */
export type ExploredHandler = string | ((request: Request) => Response | Promise<Response>)

/** The probes, limits and files of an exploration. */
export interface ExploreHandlerOptions {
  /** Returns the state of an order: text, or an object. `undefined` if there is no such order. */
  readonly order?: (orderId: string) => unknown
  /** Returns the money of the whole shop: a number, or an object with numbers. */
  readonly balance?: () => unknown
  /** Creates an order with this amount in minor units and returns its id. By default the ids are generated. */
  readonly createOrder?: (amount: number) => string | Promise<string>
  /**
   * Time in ms after which no case begins. The search may take longer: a failing case is confirmed within 3 s, the last
   * responses have `timeout`, and effects that are late take their time to be read. Default: 10,000.
   */
  readonly time?: number
  /**
   * Maximum number of messages. Retries, the last case, and confirming or shrinking a finding may exceed it. Default:
   * 500. The simple stories at the start need at least 10.
   */
  readonly deliveries?: number
  /**
   * Generates the same stories and schedules as an earlier search with this seed, if the handler behaves the same. A
   * story is the actions on the payments of one order. Its schedule is how its events are sent. Random by default. The
   * report and the error contain the seed.
   */
  readonly seed?: number
  /** Number of cases that run at the same time. Default: 8. */
  readonly lanes?: number
  /** The time in ms for which a value must stay the same to be final. Default: 20. */
  readonly settle?: number
  /** The deadline in ms of a response, and of a call of `order`, `balance` or `createOrder`. Default: 15,000. */
  readonly timeout?: number
  /** The folder for the files of findings. Earlier files are kept. Default: `psp-found`. `false` writes none. */
  readonly save?: string | false
}

/** A rule that the handler breaks, with the smallest case that shows it. */
export type HandlerFinding = Pick<
  Finding,
  'id' | 'title' | 'got' | 'expected' | 'why' | 'fix' | 'deliveries' | 'steps' | 'rate' | 'rows'
>

/** The report of an exploration without findings. `notJudged` lists the fields and events that could not be judged. */
export type HandlerReport = Pick<ExploreReport, 'seed' | 'stories' | 'deliveries' | 'situations' | 'notJudged' | 'end'>

/** The handler breaks a rule. The message contains the seed, and each finding with its smallest case. */
export class HandlerBugError extends Error {
  override readonly name = 'HandlerBugError'
  readonly seed: number
  readonly findings: readonly HandlerFinding[]
  /** The files of the findings, for `psp audit URL --replay FILE`. */
  readonly files: readonly string[]
  constructor(message: string, seed: number, findings: readonly HandlerFinding[], files: readonly string[]) {
    super(message)
    this.seed = seed
    this.findings = findings
    this.files = files
  }
}
