import { ID_EXAMPLES } from '../../../domain/id-examples.ts'
import { choice, required, toggle, value } from '../../parsing/flags.ts'
import { PAGE_FLAGS } from '../../parsing/page-flags.ts'
import { oneOf } from '../../parsing/parse.ts'

const shop = value('--shop <id>', 'a shop other than the first')

export const KEY_ID = { id: required(`key id, ${ID_EXAMPLES.key}`) }
export const LIST_FLAGS = {
  shop,
  all: toggle('--all', 'also show revoked keys; --json always contains them'),
  ...PAGE_FLAGS,
}
export const CREATE_FLAGS = { shop, mode: choice('--mode <mode>', 'default test', ['test', 'live'] as const, oneOf) }
