import { value } from './flags.ts'
import { integer } from './parse.ts'

/** Flags of every list. */
export const PAGE_FLAGS = {
  limit: value('--limit <n>', 'at most so many, default 100', integer(1, 1000)),
  cursor: value('--cursor <cursor>', 'go on after an earlier page'),
}
