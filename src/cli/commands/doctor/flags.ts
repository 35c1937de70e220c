import { configFlag } from '../../config/config-flags.ts'
import { toggle, value } from '../../parsing/flags.ts'
import { duration } from '../../parsing/parse.ts'

export const DOCTOR_FLAGS = {
  ready: toggle('--ready', 'only check that the server responds: a health check for containers'),
  wait: toggle('--wait', 'with --ready: wait until it is ready'),
  ready_file: configFlag('ready_file', {
    takes: 'file',
    about: 'with --ready: check the server that writes this file (PSP_READY_FILE)',
  }),
  timeout: value('--timeout <duration>', 'with --wait: maximum time, default 30s', duration),
}
