import { configFlag } from '../../config/config-flags.ts'
import { SERVER_FLAGS } from '../server-flags.ts'

export const SERVE_FLAGS = {
  ...SERVER_FLAGS,
  ready_file: configFlag('ready_file', { takes: 'file' }),
  exit_with_parent: configFlag('exit_with_parent'),
}
