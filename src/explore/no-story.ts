// A search that has not finished any story has shown nothing, so it must not pass.
import { formatDuration } from '../domain/time.ts'
import type { ExploreReport } from './explore-options.ts'
import { SETTLE } from './not-judged.ts'

/** The names of options and probes in the hints. */
export interface NoStoryNames {
  /** The time limit, such as `--explore`. */
  readonly time: string
  /** The limit of messages, such as `--deliveries`. */
  readonly deliveries: string
  /** All probes, such as `order and balance`. */
  readonly probes: string
  /** The source of orders, such as `--order-cmd`. */
  readonly orders: string
}

export interface NoStory {
  readonly message: string
  readonly hint: string
}

/**
 * Returns the error of a search that found nothing because it ended before a story was finished. Returns `undefined`
 * for any other search, and for an interrupted one.
 * @param time the time limit of the search, in ms
 */
export function noStoryError(report: ExploreReport, time: number, names: NoStoryNames): NoStory | undefined {
  const { findings, stories, end, deliveries } = report
  if (findings.length > 0 || stories > 0 || end === 'interrupted') return undefined
  switch (end) {
    case 'time':
      return { message: `No story was finished in ${formatDuration(time)}.`, hint: timeHint(report, names) }
    case 'deliveries':
      return {
        message: `No story was finished. The simple stories at the start took ${deliveries} deliveries, so the limit was reached.`,
        hint: `Raise ${names.deliveries} above ${deliveries}.`,
      }
    case 'orders':
      return {
        message: 'No story was finished before the orders ran out.',
        hint: 'Give more orders, or let the shop create them with --order-url or --order-cmd. The simple stories at the start need at least 8, and each later story needs one or two.',
      }
    default:
      return { message: 'No story was finished.', hint: 'The handler does not respond any more. See its log.' }
  }
}

/** Returns what to do about the kind of call that took most of the time. */
function timeHint({ notJudged, silent, spent }: ExploreReport, { time, probes, orders }: NoStoryNames): string {
  const unsettled = notJudged.find(({ fix }) => fix === SETTLE)
  if (unsettled !== undefined) return `${unsettled.what} never settles, so reading it takes long. ${unsettled.fix}`
  const [slowest] = (['handler', 'probes', 'orders', 'other'] as const).toSorted((a, b) => spent[b] - spent[a])
  switch (slowest) {
    case 'handler':
      return `Most of the time was spent on the handler. Raise ${time}, or make the handler faster.`
    case 'probes':
      return `Most of the time was spent on ${probes}, perhaps because effects are late. Raise ${time}.`
    case 'orders':
      return `Most of the time was spent on ${orders}. Raise ${time}, or make ${orders} faster.`
    default:
      if (silent.length === 0) return `Raise ${time}.`
      return `${silent.join(' and ')} did not change after the first payment. If effects are late, raise ${time}. Otherwise check that the handler stores what it receives.`
  }
}
