import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { ID_EXAMPLES } from '../../domain/id-examples.ts'
import { command, group } from '../command.ts'
import { PAGE_FLAGS } from '../parsing/common-flags.ts'
import { eventPattern } from '../parsing/event-patterns.ts'
import { list, many, required, toggle, value } from '../parsing/flags.ts'
import { sinceText } from '../parsing/parse.ts'
import { endpointUrl } from '../parsing/parse-address.ts'

export const EVENT_ID = { id: required(`event id, ${ID_EXAMPLES.event}`) }

export const LIST_FLAGS = {
  event: value('--event <name>', 'only these: payment.succeeded, payment.*', eventPattern, WEBHOOK_EVENTS),
  object_id: value('--object <id>', 'only for this payment or payout'),
  shop_id: value('--shop <id>', 'only for this shop'),
  since: value('--since <when>', 'from 10m ago, or from a time', sinceText),
  ...PAGE_FLAGS,
}

export const REPLAY_ARGUMENTS = { ids: many(`event ids, ${ID_EXAMPLES.event}`) }

export const REPLAY_FLAGS = {
  to: value('--to <url>', 'only to this URL', endpointUrl),
  same_timestamp: toggle('--same-timestamp', 'reuse the timestamp of the first signature'),
  since: value('--since <when>', 'everything since 10m ago, or since a time', sinceText),
  event: list('--event <names>', 'with --since: only payment.*, !payment.expired, …', undefined, WEBHOOK_EVENTS),
}

export const events = group({
  about: 'List webhook events and send them again.',
  commands: {
    list: command({
      about: 'List events, newest first.',
      flags: LIST_FLAGS,
      examples: [['psp events list --event "payment.*" --since 1h', 'Show payment events from the last hour']],
    }),
    get: command({
      about: 'Show an event with its data.',
      args: EVENT_ID,
      examples: [['psp events get evt_…', 'Show the object as it was at that time']],
    }),
    replay: command({
      about: 'Send events again: same id and bytes, fresh signature.',
      args: REPLAY_ARGUMENTS,
      flags: REPLAY_FLAGS,
      examples: [
        ['psp events replay evt_…', 'Send it to every current receiver'],
        ['psp events replay evt_… --to localhost:3000/hooks', 'Send it to one URL'],
        ['psp events replay --since 10m --event "payment.*"', 'Send all payment events from the last ten minutes'],
      ],
      supportsDryRun: true,
    }),
  },
})
