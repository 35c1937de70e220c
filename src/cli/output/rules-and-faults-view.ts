// Table columns of rules and faults.
import type { FaultView, RuleView } from '../../client/control-types.ts'
import type { Column } from './table.ts'

type Counted = Pick<RuleView, 'id' | 'match' | 'times' | 'every' | 'matched' | 'applied'>

const COUNTS: readonly Column<Counted>[] = [
  { title: 'left', cell: ({ times }) => (times === 0 ? 'spent' : (times ?? 'always')), right: true },
  {
    title: 'match',
    cell: ({ match = {} }) =>
      Object.entries(match)
        .map(([field, value]) => `${field}=${value}`)
        .join(' '),
    least: 10,
  },
  { title: 'every', cell: ({ every }) => every, right: true },
  { title: 'matched', cell: ({ matched }) => matched, right: true },
  { title: 'applied', cell: ({ applied }) => applied, right: true },
]

export const RULE_COLUMNS: readonly Column<RuleView>[] = [
  { title: 'rule', cell: ({ id }) => id },
  { title: 'plan', cell: ({ plan }) => (typeof plan === 'string' ? plan : plan.join(', ')) },
  ...COUNTS,
]

export const FAULT_COLUMNS: readonly Column<FaultView>[] = [
  { title: 'fault', cell: ({ id }) => id },
  { title: 'target', cell: ({ target }) => target },
  { title: 'what', cell: ({ fault }) => fault },
  ...COUNTS,
  { title: 'chance', cell: ({ probability }) => probability, right: true },
]
