import { WEBHOOK_EVENTS } from '../../../domain/events.ts'
import { ID_EXAMPLES } from '../../../domain/id-examples.ts'
import { eventPattern } from '../../parsing/event-patterns.ts'
import { list, many, required, toggle, value } from '../../parsing/flags.ts'
import { PAGE_FLAGS } from '../../parsing/page-flags.ts'
import { sinceText } from '../../parsing/parse.ts'
import { endpointUrl } from '../../parsing/parse-address.ts'

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
  same_timestamp: toggle('--same-timestamp', 'with the time of the first signature'),
  since: value('--since <when>', 'everything since 10m ago, or since a time', sinceText),
  event: list('--event <names>', 'with --since: only payment.*, !payment.expired, …', undefined, WEBHOOK_EVENTS),
}
