import { WEBHOOK_EVENTS } from '../../../domain/events.ts'
import { list, required, value } from '../../parsing/flags.ts'
import { duration, integer, pair, sinceText } from '../../parsing/parse.ts'

export const WAIT_ARGUMENTS = {
  event: required('its name: payment.succeeded, payment.*', [...WEBHOOK_EVENTS, 'payment.*', 'payout.*']),
}

export const WAIT_FLAGS = {
  where: list('--where <field=value>', 'only where a field of it has this value: order_id=42', pair),
  timeout: value('--timeout <duration>', 'how long to wait, default 30s', duration),
  count: value('--count <n>', 'until there were so many, default 1', integer(1)),
  since: value('--since <when>', 'count what already happened, too: 10m, or a time', sinceText),
}
