import { STREAM_KINDS } from '../../domain/events.ts'
import { command } from '../command.ts'
import { SHOP } from '../parsing/common-flags.ts'
import { list, toggle } from '../parsing/flags.ts'

export const TAIL_FLAGS = {
  kinds: list(
    '--kinds <kinds>',
    `only these kinds of messages, separated by commas: ${STREAM_KINDS.join(', ')}`,
    undefined,
    STREAM_KINDS,
  ),
  raw: toggle('--raw', 'print the messages unchanged'),
  shop: SHOP,
}

export const tail = command({
  description: 'Follow the event stream without disconnecting your application.',
  notes: [
    'The command creates a separate key, because a second stream with the same key would disconnect your application. It revokes the key at the end.',
  ],
  flags: TAIL_FLAGS,
  examples: [
    ['psp tail', 'Show every change as it happens'],
    [
      'psp tail --kinds payment.status_changed --json',
      'Print only status changes of payments, as one JSON document per line',
    ],
  ],
  isLongRunning: true,
  endsNormallyAtSignal: true,
})
