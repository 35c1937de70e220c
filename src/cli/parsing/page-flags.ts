import { value } from './flags.ts'
import { integer } from './parse.ts'

/** The flags of every list command. */
export const PAGE_FLAGS = {
  limit: value('--limit <n>', 'at most n rows, default 100', integer(1, 1000)),
  cursor: value('--cursor <cursor>', 'continue after an earlier page'),
}
