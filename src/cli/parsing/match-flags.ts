import { list, value } from './flags.ts'
import { integer, pair } from './parse.ts'

/** Flags that say when a rule or fault applies. @param fields suggestions for completion */
export const matchFlags = (fields: readonly string[]) => ({
  match: list('--match <field=value>', 'apply only if a field has this value; * matches any text', pair, [
    ...new Set(fields.map((field) => `${field}=`)),
    'metadata.',
  ]),
  times: value('--times <n>', 'apply at most n times', integer(1)),
  every: value('--every <n>', 'apply only to every n-th match', integer(1)),
})

/** Returns a line of help. */
export function fieldsText(fields: readonly string[]): string {
  return `${fields.join(', ')}, metadata.<name>`
}
