// The options of an exploration, and its report.
import type { Case } from './evaluate-case.ts'
import type { ExplorePorts } from './explore-ports.ts'
import type { Finding } from './finding.ts'
import type { NotJudged } from './not-judged.ts'

export interface Progress {
  readonly stories: number
  readonly messages: number
  /** Number of known situations, such as `refund before its payment`, that the runs reached. */
  readonly situations: number
  readonly findings: number
  /** Time since the start, in ms. */
  readonly ms: number
}

export interface ExploreOptions {
  readonly ports: ExplorePorts
  /** The same seed generates the same stories and schedules if the handler behaves the same. */
  readonly seed: number
  /**
   * Time in ms after which no story begins and no finding is shrunk. The search may then take longer: it confirms a
   * failing case for at most 3 s, and waits for the last responses until their timeout.
   */
  readonly time: number
  /**
   * Maximum number of messages. Retries, the last case and its confirmation may exceed it. Messages that shrink a
   * finding are not counted.
   */
  readonly maxMessages: number
  /** Number of cases that run at the same time. */
  readonly concurrency: number
  /** The first case. Some later cases have its story with another schedule. */
  readonly story?: Case
  /** Amount of every payment in minor units. Drawn by default. */
  readonly amount?: number
  /** The search ends after this number of different findings. */
  readonly maxFindings?: number
  /** Ends the search. The report contains the findings so far. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  readonly onFinding?: (finding: Finding) => void
}

export interface ExploreReport {
  readonly seed: number
  readonly findings: readonly Finding[]
  readonly stories: number
  /** Number of messages of the search, and of the confirmation of its findings. The name of the field is public. */
  readonly deliveries: number
  /** Number of messages that were sent to shrink findings. */
  readonly shrinking: number
  /** Number of messages until the first finding was confirmed. */
  readonly firstFindingAfter?: number
  /** The titles of the situations that the runs reached, from situations.ts. */
  readonly situations: readonly string[]
  /** Fields that differ between the two in-order runs of the first simple story. They are not judged. */
  readonly volatile: readonly string[]
  /** Probes that did not change in any simple story that was finished. Nothing can be judged by them. */
  readonly silent: readonly string[]
  readonly notJudged: readonly NotJudged[]
  /** Time in ms until an effect is visible. 0: at once, not measured, or no effect was visible. */
  readonly lag: number
  readonly end:
    | 'time'
    | 'deliveries'
    | 'findings'
    | 'interrupted'
    | 'orders'
    | 'order failed'
    | 'handler stopped'
    | 'handler hangs'
    | 'all refused'
    | 'no effect'
    | 'probe failed'
  /** The message of the probe, or of the source of orders, that ended the search. */
  readonly failure?: string
  /** Number of groups of concurrent cases in which something failed, although no case of the group failed alone. */
  readonly unconfirmed: number
  /**
   * The time in ms that was spent on each kind of call. The times of concurrent calls are added up. `other` is the rest
   * of the time, such as the wait for a late effect.
   */
  readonly spent: {
    readonly handler: number
    readonly probes: number
    readonly orders: number
    readonly other: number
  }
}
