import { DELIVERY_STATUSES } from '../../../../domain/delivery.ts'
import { ID_EXAMPLES } from '../../../../domain/id-examples.ts'
import { choice, many, required, toggle, value } from '../../../parsing/flags.ts'
import { PAGE_FLAGS } from '../../../parsing/page-flags.ts'
import { oneOf } from '../../../parsing/parse.ts'

export const DELIVERY_ID = { id: required(`delivery id, ${ID_EXAMPLES.delivery}`) }

const FILTER_FLAGS = {
  event_id: value('--event <id>', `only of this event, ${ID_EXAMPLES.event}`),
  object_id: value('--object <id>', 'only for this payment or payout'),
  endpoint_id: value('--endpoint <id>', `only to this endpoint, ${ID_EXAMPLES.endpoint}`),
  shop_id: value('--shop <id>', 'only for this shop'),
}

export const LIST_FLAGS = {
  ...FILTER_FLAGS,
  status: choice('--status <status>', 'only these', [...DELIVERY_STATUSES, 'sending'] as const, oneOf),
  ...PAGE_FLAGS,
}

export const RETRY_ARGUMENTS = { ids: many(`delivery ids, ${ID_EXAMPLES.delivery}; or a filter`) }

export const RETRY_FLAGS = {
  ...FILTER_FLAGS,
  status: choice('--status <status>', 'all with this status, default exhausted', DELIVERY_STATUSES, oneOf),
}
export const GET_FLAGS = { last: toggle('--last', 'only the last attempt') }
