// A search that has not finished any story has shown nothing, so it must not pass.
import { formatDuration } from '../domain/time.ts'
import type { ExploreReport } from './explore-options.ts'
import { SETTLE } from './not-judged.ts'

/** For each kind of call, the text of what to do if it took most of the time. */
export type SlowHints = Readonly<Record<keyof ExploreReport['spent'], string>>

export interface NoStory {
  readonly message: string
  readonly hint: string
}

/**
 * Returns the error of a search that found nothing because its time was too short for a story. Returns `undefined` for
 * any other search.
 * @param time the time limit of the search, in ms
 */
export function noStoryError(
  { findings, stories, end, notJudged, spent }: ExploreReport,
  time: number,
  hints: SlowHints,
): NoStory | undefined {
  if (findings.length > 0 || stories > 0 || end !== 'time') return undefined
  const unsettled = notJudged.find(({ fix }) => fix === SETTLE)
  const [slowest] = (['handler', 'probes', 'orders'] as const).toSorted((a, b) => spent[b] - spent[a])
  return {
    message: `No story was finished in ${formatDuration(time)}.`,
    hint:
      unsettled === undefined
        ? hints[slowest ?? 'handler']
        : `${unsettled.what} never settles, so reading it takes long. ${unsettled.fix}`,
  }
}
