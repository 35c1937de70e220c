// Performs one step of a story as a command of the engine.
import type { Caller, Input } from '../engine/command.ts'
import type { Engine } from '../engine/engine.ts'
import { type OrderName, RECIPIENT, refundAmount, type Story, type StoryStep } from './story.ts'

/** The engine of a story, and the ids of its objects by their names. */
export interface StoryContext {
  readonly engine: Engine
  readonly caller: Caller
  readonly amounts: Story['amounts']
  readonly orders: { readonly [order in OrderName]: string }
  readonly metadata: { readonly [key: string]: string }
  readonly ids: Map<string, string>
  /** The order of each payment and refund. */
  readonly orderOf: Map<string, OrderName>
}

const ACTS = {
  pay: { action: 'pay' },
  decline: { action: 'decline', failure_code: 'insufficient_funds' },
  expire: { action: 'expire' },
} as const

/** @throws RefusalError if the step is not possible */
export function performStep(context: StoryContext, step: StoryStep): void {
  const { engine, caller } = context
  switch (step.do) {
    case 'create':
      createPayment(context, step.payment, step.order)
      break
    case 'cancel':
      engine.execute('cancel_payment', { caller, payment_id: idOf(context, step.payment) })
      break
    case 'pay':
    case 'decline':
    case 'expire':
      engine.execute('act_on_payment', { payment_id: idOf(context, step.payment), act: ACTS[step.do] })
      break
    case 'refund':
      refundPayment(context, step)
      break
    case 'settle':
      engine.execute('settle_refund', { refund_id: idOf(context, step.refund), status: step.result })
      break
    case 'payout':
      createPayout(context, step.payout, step.result)
      break
  }
}

function idOf({ ids }: StoryContext, name: string): string {
  return ids.get(name) ?? ''
}

function createPayment(context: StoryContext, payment: string, order: OrderName): void {
  const { engine, caller, amounts, orders, metadata, ids, orderOf } = context
  const input = { amount: amounts[order], currency: 'RUB', method: 'sbp', order_id: orders[order], metadata } as const
  ids.set(payment, engine.execute('create_payment', { caller, input, plan: { outcome: 'requires_action' } }).object.id)
  orderOf.set(payment, order)
}

function refundPayment(context: StoryContext, step: Extract<StoryStep, { do: 'refund' }>): void {
  const { engine, caller, ids, orderOf } = context
  const { payment, refund, percent, result } = step
  const payment_id = idOf(context, payment)
  const whole = engine.world.get('payments', payment_id)?.amount ?? 0
  const amount = refundAmount(percent, whole)
  const plan: Input<'refund_payment'>['plan'] =
    result === 'failed' ? { outcome: 'failed', code: 'processing_error', delay: 0 } : { outcome: result, delay: 0 }
  ids.set(refund, engine.execute('refund_payment', { caller, payment_id, amount, plan }).object.id)
  orderOf.set(refund, orderOf.get(payment) ?? 'main')
}

function createPayout(
  { engine, caller, amounts, ids }: StoryContext,
  name: string,
  status: 'succeeded' | 'failed',
): void {
  const input = { amount: amounts.main, currency: 'RUB', ...RECIPIENT }
  const { object } = engine.execute('create_payout', { caller, input, plan: { outcome: 'pending' } })
  ids.set(name, object.id)
  engine.execute('settle_payout', { payout_id: object.id, status })
}
