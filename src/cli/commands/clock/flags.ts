import { optional, required, toggle, value } from '../../parsing/flags.ts'
import { instantText } from '../../parsing/parse.ts'

export const FREEZE_ARGUMENTS = { time: optional('where to stand, RFC 3339; default now') }

export const ADVANCE_ARGUMENTS = { by: optional('how far: 20m, 2h, 3d') }

export const ADVANCE_FLAGS = {
  to: value('--to <time>', 'to this instant, RFC 3339', instantText),
  until_idle: toggle('--until-idle', 'until no step, settlement or attempt waits'),
}

export const SPEED_ARGUMENTS = { factor: required('60: a minute in a second') }
