import { toggle, value } from '../../flags.ts'
import { duration } from '../../parse.ts'

export const DOCTOR_FLAGS = {
  ready: toggle('--ready', 'only whether the server answers: a health check for containers'),
  wait: toggle('--wait', 'with --ready: until it does'),
  timeout: value('--timeout <duration>', 'with --wait: at most so long, default 30s', duration),
}
