import { toggle, value } from '../../flags.ts'

export const OPENAPI_FLAGS = {
  out: value('--out <file>', 'to a file; - is stdout'),
  control: toggle('--control', 'the control API instead of the public one'),
}
