import { list, value } from './flags.ts'
import { integer, pair } from './parse.ts'

/** When a rule or fault applies. */
export const MATCH_FLAGS = {
  match: list('--match <field=value>', 'only where a field has this value; * stands for any text', pair),
  times: value('--times <n>', 'so often, then never again', integer(1)),
  every: value('--every <n>', 'at each n-th match only', integer(1)),
}
