import { list, value } from './flags.ts'
import { integer, pair } from './parse.ts'

/** When a rule or fault applies. @param fields to offer at completion; names of metadata are the merchant's */
export const matchFlags = (fields: readonly string[]) => ({
  match: list('--match <field=value>', 'only if a field has this value; * stands for any text', pair, [
    ...new Set(fields.map((field) => `${field}=`)),
    'metadata.',
  ]),
  times: value('--times <n>', 'so often, then never again', integer(1)),
  every: value('--every <n>', 'at each n-th match only', integer(1)),
})

/** A line of help. */
export function fieldsText(fields: readonly string[]): string {
  return `${fields.join(', ')}, metadata.<name>`
}
