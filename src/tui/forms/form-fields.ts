// The fields of every form, in their order.
import { PAYMENT_FAILURE_CODES, PAYOUT_FAILURE_CODES } from '../../domain/failure-codes.ts'
import { PAYMENT_METHODS } from '../../domain/payment-methods.ts'
import { PLANNED_ERRORS } from '../../domain/simulator-plan.ts'
import type { Field, Form, FormName, Values } from './form.ts'

const isPayment = ({ what }: Values) => what === 'payment'
const isPayout = ({ what }: Values) => what === 'payout'

/** The outcome that leaves the choice to rules, magic values and the default. */
export const AUTOMATIC = 'automatic'

const OUTCOMES = [AUTOMATIC, 'succeeded', 'failed', 'requires_action', 'pending', 'refused', 'error', 'cut'] as const

const FIELDS: Readonly<Record<FormName, readonly Field[]>> = {
  new: [
    { name: 'what', label: 'what', choices: ['payment', 'payout'] },
    { name: 'amount', label: 'amount', hint: 'in major units: 1500 or 1500.50' },
    { name: 'currency', label: 'currency', hint: 'ISO 4217' },
    { name: 'method', label: 'method', choices: PAYMENT_METHODS, when: isPayment },
    { name: 'order_id', label: 'order', hint: 'may be empty', when: isPayment },
    { name: 'phone', label: 'phone', hint: '+7 and ten digits', when: isPayout },
    { name: 'bank_id', label: 'bank', hint: '`psp banks` lists them', when: isPayout },
    { name: 'full_name', label: 'name', hint: 'may be empty', when: isPayout },
    { name: 'outcome', label: 'outcome', choices: OUTCOMES, hint: 'automatic: by rules, magic values, settings' },
    ...codeFields(({ outcome }) => outcome === 'failed' || outcome === 'refused'),
    { name: 'error', label: 'error', choices: PLANNED_ERRORS, when: ({ outcome }) => outcome === 'error' },
    {
      name: 'delay',
      label: 'delay',
      hint: 'until the bank answers: 30s; may be empty',
      when: ({ outcome }) => outcome !== AUTOMATIC,
    },
  ],
  decline: codeFields(() => true),
  refund: [
    { name: 'amount', label: 'amount', hint: 'in major units' },
    { name: 'reason', label: 'reason', hint: 'may be empty' },
  ],
  advance: [{ name: 'by', label: 'by', hint: '30s, 20m, 2h, 3d, or idle: until nothing waits' }],
}

/** The fields that are shown with these values. */
export function visibleFields({ name, values }: Pick<Form, 'name' | 'values'>): readonly Field[] {
  return FIELDS[name].filter(({ when }) => when === undefined || when(values))
}

/** Those of a payment, or of a payout. */
function codeFields(when: (values: Values) => boolean): readonly Field[] {
  const field = { name: 'code', label: 'code', hint: 'arrows, or type its beginning' }
  return [
    { ...field, choices: PAYMENT_FAILURE_CODES, when: (values) => isPayment(values) && when(values) },
    { ...field, choices: PAYOUT_FAILURE_CODES, when: (values) => isPayout(values) && when(values) },
  ]
}
