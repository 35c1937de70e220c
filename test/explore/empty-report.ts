import type { ExploreReport } from '../../src/explore/explore-options.ts'

/** The report of a search that ended by its time before it sent anything. */
export const EMPTY_REPORT: ExploreReport = {
  seed: 1,
  findings: [],
  stories: 0,
  deliveries: 0,
  shrinking: 0,
  situations: [],
  volatile: [],
  silent: [],
  notJudged: [],
  lag: 0,
  end: 'time',
  unconfirmed: 0,
  spent: { handler: 0, probes: 0, orders: 0, other: 0 },
}
