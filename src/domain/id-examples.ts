// Examples of ids, for help and messages.

const UUID = '3f2a9c1e-…'

export const ID_EXAMPLES = {
  payment: UUID,
  payout: UUID,
  shop: UUID,
  event: 'evt_…',
  delivery: 'dlv_…',
  endpoint: 'we_…',
  rule: 'rul_…',
  fault: 'flt_…',
  key: 'key_…',
} as const
