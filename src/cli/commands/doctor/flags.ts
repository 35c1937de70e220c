import { configFlag } from '../../config/config-flags.ts'
import { toggle, value } from '../../parsing/flags.ts'
import { duration } from '../../parsing/parse.ts'

export const DOCTOR_FLAGS = {
  ready: toggle('--ready', 'only whether the server answers: a health check for containers'),
  wait: toggle('--wait', 'with --ready: until it does'),
  ready_file: configFlag('ready_file', {
    takes: 'file',
    about: 'with --ready: of the server that writes it (PSP_READY_FILE)',
  }),
  timeout: value('--timeout <duration>', 'with --wait: at most so long, default 30s', duration),
}
