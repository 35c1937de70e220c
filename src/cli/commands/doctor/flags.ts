import { configuring, toggle, value } from '../../flags.ts'
import { duration, filled } from '../../parse.ts'

export const DOCTOR_FLAGS = {
  ready: toggle('--ready', 'only whether the server answers: a health check for containers'),
  wait: toggle('--wait', 'with --ready: until it does'),
  ...configuring({
    ready_file: value('--ready-file <file>', 'with --ready: of the server that writes it (PSP_READY_FILE)', filled),
  }),
  timeout: value('--timeout <duration>', 'with --wait: at most so long, default 30s', duration),
}
