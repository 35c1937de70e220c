import { CONFIG_KEYS } from '../../config-keys.ts'
import { configuring, value } from '../../flags.ts'
import { filled } from '../../parse.ts'
import { SERVER_FLAGS } from '../server-flags.ts'

export const SERVE_FLAGS = {
  ...SERVER_FLAGS,
  ...configuring({
    ready_file: value('--ready-file <file>', `${CONFIG_KEYS.ready_file.about} (PSP_READY_FILE)`, filled),
  }),
}
