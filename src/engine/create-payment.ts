// Spec 4.1: create a payment.
import { amountUsdt } from '../domain/currency.ts'
import { magicAmount, magicDescription } from '../domain/magic.ts'
import { paymentFacts } from '../domain/match-fields.ts'
import { metadataWarnings, withReserved } from '../domain/metadata.ts'
import type { Metadata, Payment, PaymentStep } from '../domain/payment.ts'
import { hasBuyer, type PaymentMethod } from '../domain/payment-methods.ts'
import type { AllFields } from '../domain/serialization.ts'
import { plannedOutcome, type StoredPlan } from '../domain/simulator-plan.ts'
import { addMs } from '../domain/time.ts'
import { drawAcquirer, settleImmediately } from './bank-session.ts'
import { choosePlan, plannedRefusal } from './choose-plan.ts'
import type { Created, Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import { findRepeat, storeIdempotencyKey } from './idempotency.ts'
import type { Context } from './ports.ts'
import { paymentPayload } from './transition.ts'
import type { World } from './world.ts'

export function createPayment(
  command: Input<'create_payment'>,
  world: World,
  context: Context,
): Commit<Created<Payment>> {
  const draft = new Draft(world, context)
  const repeat = findRepeat(draft, 'payments', command)
  if (repeat !== undefined) return repeat

  const { plan, warnings } = planFor(draft, command)
  warnings.push(...metadataWarnings(command.input.metadata))
  if (plan.outcome === 'error') return draft.commitRefusal(plannedRefusal(plan))
  let payment = draft.put('payments', newPayment(draft, command, plan))
  storeIdempotencyKey(draft, command.caller, command.idempotency, payment.id)
  draft.emit('payment.created', payment, paymentPayload(payment))
  if (plan.outcome === 'refused') payment = settleImmediately(draft, payment, plan)
  return draft.commit({ object: payment, repeated: false, cut: plan.outcome === 'cut', warnings })
}

function planFor(draft: Draft, { caller, input, plan }: Input<'create_payment'>) {
  const { amount, method, currency, description } = input
  const test = caller.mode === 'test'
  return choosePlan(draft, {
    facts: Object.assign(paymentFacts({ ...input, shop_id: caller.shop_id }), { operation: 'payment', method }),
    header: plan,
    metadata: test && Object.hasOwn(input.metadata, 'simulate') ? input.metadata['simulate'] : undefined,
    ...(test ? { magic: () => magicDescription(description ?? '') ?? magicAmount(amount, currency) } : {}),
  })
}

function newPayment(draft: Draft, { caller, input }: Input<'create_payment'>, plan: StoredPlan): Payment {
  const { now, world } = draft
  const shop = draft.shop(caller.shop_id)
  const bank = caller.mode === 'live' && input.method !== 'any' ? drawAcquirer(draft) : undefined
  const next = firstStep(draft, input.method, plan)
  // All fields exist from the start, in the order of `changePayment`. JSON omits undefined fields.
  const payment: AllFields<Payment> = {
    id: draft.context.random.uuid(),
    merchant_id: shop.merchant_id,
    shop_id: shop.id,
    mode: caller.mode,
    order_id: input.order_id ?? `ord_${now}`,
    amount: input.amount,
    amount_refunded: 0,
    amount_usdt: amountUsdt(input.amount, input.currency, world.settings.usdt_rate),
    currency: input.currency,
    method: input.method,
    status: 'pending',
    created_at: now,
    expires_at: addMs(now, world.settings.link_ttl),
    metadata: initialMetadata(input, caller.mode, plan, bank?.bank_ref),
    plan,
    step: next?.step,
    step_at: next && addMs(now, next.wait),
    seq: draft.reserveTimerSeq(2),
    customer_id: input.customer_id,
    return_url: input.return_url,
    webhook_url: input.webhook_url,
    description: input.description,
    processing_until: undefined,
    captured_at: undefined,
    finalized_at: undefined,
    rrn: undefined,
    bank_name: undefined,
    bank: bank?.bank,
    bank_ref: bank?.bank_ref,
    customer_card_brand: undefined,
    customer_card_mask: undefined,
    customer_card_holder: undefined,
    customer_phone_mask: undefined,
    customer_payer_bank: undefined,
    page_opened_at: undefined,
    session_by_act: undefined,
    awaits_buyer: undefined,
  }
  return payment as Payment
}

function initialMetadata(
  input: Input<'create_payment'>['input'],
  mode: 'test' | 'live',
  plan: StoredPlan,
  bankRef: string | undefined,
): Metadata {
  return withReserved(input.metadata, {
    mode,
    webhook_url: input.webhook_url,
    customer_id: input.customer_id,
    bank_ref: bankRef,
    simulator_outcome: mode === 'test' ? plannedOutcome(plan) : undefined,
    simulator_failure_code: mode === 'test' && 'code' in plan ? plan.code : undefined,
  })
}

function firstStep(
  draft: Draft,
  method: PaymentMethod,
  plan: StoredPlan,
): { step: PaymentStep; wait: number } | undefined {
  const { settings } = draft.world
  if (plan.outcome === 'requires_action' || plan.outcome === 'refused') return undefined
  if (!hasBuyer(method)) return { step: 'open_session', wait: 0 }
  if (settings.buyer === 'manual') return undefined
  if (method === 'any') return { step: 'pick_method', wait: settings['delays.buyer'] }
  return { step: 'open_session', wait: settings['delays.session'] }
}
