import { FORCE } from '../../output/replaceable-file.ts'
import { toggle, value } from '../../parsing/flags.ts'

import { filled } from '../../parsing/parse.ts'

export const OPENAPI_FLAGS = {
  out: value('--out <file>', 'write to this file; - is stdout', filled),
  ...FORCE,
  control: toggle('--control', 'the control API instead of the public API'),
}
