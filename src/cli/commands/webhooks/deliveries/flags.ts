import { DELIVERY_STATUSES } from '../../../../domain/delivery.ts'
import { choice, required, value } from '../../../flags.ts'
import { PAGE_FLAGS } from '../../../page-flags.ts'
import { oneOf } from '../../../parse.ts'

export const DELIVERY_ID = { id: required('delivery id, dlv_…') }

export const LIST_FLAGS = {
  event_id: value('--event <id>', 'only of this event'),
  object_id: value('--object <id>', 'only of this payment or payout'),
  endpoint_id: value('--endpoint <id>', 'only to this endpoint'),
  shop_id: value('--shop <id>', 'only of this shop'),
  status: choice('--status <status>', 'only these', [...DELIVERY_STATUSES, 'sending'] as const, oneOf),
  ...PAGE_FLAGS,
}
