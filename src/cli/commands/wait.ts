import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { command } from '../command.ts'
import { list, required, value } from '../parsing/flags.ts'
import { duration, integer, pair, sinceText } from '../parsing/parse.ts'

export const WAIT_ARGUMENTS = {
  event: required('event name: payment.succeeded, payment.*', [...WEBHOOK_EVENTS, 'payment.*', 'payout.*']),
}

export const WAIT_FLAGS = {
  where: list('--where <field=value>', 'count only events with this field value: order_id=42', pair),
  timeout: value('--timeout <duration>', 'maximum time to wait, default 30s', duration),
  count: value('--count <n>', 'number of events to wait for, default 1', integer(1)),
  since: value('--since <when>', 'also count earlier events: a duration before now (10m), or a time', sinceText),
}

export const wait = command({
  description: 'Wait until an event happens.',
  survivesClosedStdout: true,
  args: WAIT_ARGUMENTS,
  flags: WAIT_FLAGS,
  examples: [
    ['psp wait payment.succeeded --where order_id=42', 'Wait at most 30 seconds; the exit code is 7 after a timeout'],
    ['psp wait "payment.*" --count 3 --since 10m --json', 'Also count events from the last ten minutes'],
  ],
})
