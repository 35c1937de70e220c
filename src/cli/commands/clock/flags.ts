import { optional, required, toggle, value } from '../../parsing/flags.ts'
import { instantText } from '../../parsing/parse.ts'

export const FREEZE_ARGUMENTS = { time: optional('the time to freeze at, RFC 3339; default now') }

export const ADVANCE_ARGUMENTS = { by: optional('how far: 20m, 2h, 3d') }

export const ADVANCE_FLAGS = {
  to: value('--to <time>', 'to this time, RFC 3339', instantText),
  until_idle: toggle('--until-idle', 'until no step, settlement or attempt is pending'),
}

export const SPEED_ARGUMENTS = { factor: required('60 means a minute per second') }
