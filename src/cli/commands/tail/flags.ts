import { STREAM_KINDS } from '../../../domain/events.ts'
import { list, toggle, value } from '../../parsing/flags.ts'

export const TAIL_FLAGS = {
  kinds: list('--kinds <kinds>', `only these, with commas: ${STREAM_KINDS.join(', ')}`, undefined, STREAM_KINDS),
  raw: toggle('--raw', 'print the messages unchanged'),
  shop: value('--shop <id>', 'a shop other than the first'),
}
