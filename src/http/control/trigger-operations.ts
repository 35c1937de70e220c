import { refuse } from '../../domain/errors.ts'
import type { WebhookEventName } from '../../domain/events.ts'
import type { NumberLiterals } from '../../domain/number-literals.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import type { Plan } from '../../domain/simulator-plan.ts'
import type { PaymentInput } from '../../engine/command-inputs.ts'
import type { Engine } from '../../engine/engine.ts'
import type { BodySchema } from '../body-schema.ts'
import { createPaymentBody, paymentInput } from '../public/create-payment.ts'
import { createPayoutBody } from '../public/create-payout.ts'
import { refundPaymentBody } from '../public/refund-payment.ts'

export interface TriggeredIds {
  readonly payment_id?: string
  readonly refund_id?: string
  readonly payout_id?: string
}

type Fields = { readonly [field: string]: unknown }

/** The simulator waits for the next action. */
const WAIT: Plan = { outcome: 'requires_action' }

/**
 * Creates a payment and runs the operations that cause `event`. `payment.refunded` happens when the refund is settled,
 * which may be later.
 * @param fields the fields of the create request, `failure_code`, and for `payment.refunded` also `refund_amount` and
 * `reason`
 * @throws RefusalError
 */
export function makePaymentEvent(
  engine: Engine,
  shop_id: string,
  event: WebhookEventName,
  fields: Fields,
  numbers?: NumberLiterals,
): TriggeredIds {
  const { failure_code, refund_amount, reason, ...input } = fields
  const refundNumbers = numbers && { ...numbers, at: () => numbers.at(['refund_amount']) }
  const refund = validate(
    refundPaymentBody,
    omitUndefined({ amount: numberFromText(refund_amount), reason }),
    refundNumbers,
  )
  const caller = { shop_id, mode: 'test' } as const
  const payment = engine.execute('create_payment', { caller, input: inputOf(engine, input, numbers), plan: WAIT })
  const payment_id = payment.object.id
  const act = (action: 'pay' | 'expire') => engine.execute('act_on_payment', { payment_id, act: { action } })
  switch (event) {
    case 'payment.failed':
      engine.execute('act_on_payment', { payment_id, act: { action: 'decline', ...failure(failure_code) } })
      return { payment_id }
    case 'payment.cancelled':
      engine.execute('cancel_payment', { caller, payment_id })
      return { payment_id }
    case 'payment.expired':
      act('expire')
      return { payment_id }
    case 'payment.refunded': {
      act('pay')
      const { object } = engine.execute('refund_payment', { caller, payment_id, ...omitUndefined(refund) })
      return { payment_id, refund_id: object.id }
    }
    default:
      act('pay')
      return { payment_id }
  }
}

/**
 * Creates a payout and settles it with the status of `event`.
 * @param fields the fields of the create request, and `failure_code`
 */
export function makePayoutEvent(
  engine: Engine,
  shop_id: string,
  event: WebhookEventName,
  fields: Fields,
  numbers?: NumberLiterals,
): TriggeredIds {
  const { failure_code, ...input } = fields
  const defaults = { amount: 100_000, phone: '+79161234567', bank_id: '100000000111' }
  const given = { ...defaults, ...withNumericAmount(input) }
  const { method, ...payout } = validate(createPayoutBody, given, numbers, ['failure_code', 'shop_id'])
  const caller = { shop_id, mode: 'test' } as const
  const { object } = engine.execute('create_payout', {
    caller,
    input: omitUndefined(payout),
    plan: { outcome: 'pending' },
  })
  const settlement =
    event === 'payout.failed'
      ? { status: 'failed' as const, ...failure(failure_code) }
      : { status: 'succeeded' as const }
  engine.execute('settle_payout', { payout_id: object.id, ...settlement })
  return { payout_id: object.id }
}

function inputOf(engine: Engine, fields: Fields, numbers: NumberLiterals | undefined): PaymentInput {
  const body = validate(
    createPaymentBody,
    { amount: 100_000, method: 'sbp', ...withNumericAmount(withMetadata(fields, numbers)) },
    numbers,
    ['metadata.<key>', 'failure_code', 'refund_amount', 'reason', 'shop_id'],
  )
  return paymentInput(body, engine.world.settings)
}

/** @param more the known fields that are not in the schema, for the message about an unknown field */
function validate<T>(
  shape: BodySchema<T>,
  fields: Fields,
  numbers: NumberLiterals | undefined,
  more: readonly string[] = [],
): T {
  const unknown = Object.keys(fields).find((field) => !Object.hasOwn(shape.schema.shape, field))
  if (unknown === undefined) return shape.check(fields, { strict: false, warnings: [] }, numbers)
  const known = [...Object.keys(shape.schema.shape), ...more].join(', ')
  throw refuse('bad_request', `set.${unknown.slice(0, 60)}: unknown field. Known fields: ${known}.`)
}

/** Merges `metadata.<key>` fields into `metadata`. */
function withMetadata(fields: Fields, numbers: NumberLiterals | undefined): Fields {
  const pairs = Object.entries(fields).filter(([field]) => field.startsWith('metadata.'))
  if (pairs.length === 0) return fields
  const rest = Object.entries(fields).filter(([field]) => !field.startsWith('metadata.'))
  const more = pairs.map(
    ([field, value]) => [field.slice('metadata.'.length), numbers?.at([field]) ?? String(value)] as const,
  )
  const metadata = Object.fromEntries([...Object.entries(fields['metadata'] ?? {}), ...more])
  return { ...Object.fromEntries(rest), metadata }
}

/** Converts the amount to a number, because all values from a command line are strings. */
function withNumericAmount(fields: Fields): Fields {
  return Object.hasOwn(fields, 'amount') ? { ...fields, amount: numberFromText(fields['amount']) } : fields
}

function numberFromText(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
}

function failure(code: unknown): { failure_code?: string } {
  return code === undefined ? {} : { failure_code: String(code) }
}
