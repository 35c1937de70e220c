// The fields of every form, in their order.
import { FAILURE_CODES } from '../../domain/failure-codes.ts'
import { PAYMENT_METHODS } from '../../domain/payment-methods.ts'
import { PLANNED_ERRORS } from '../../domain/simulator-plan.ts'
import type { Field, Form, FormName, Values } from './form.ts'

const CODES = Object.keys(FAILURE_CODES)
const ofPayment = ({ what }: Values) => what === 'payment'
const ofPayout = ({ what }: Values) => what === 'payout'

/** The first outcome leaves the choice to rules, magic values and the default. */
const OUTCOMES = ['as set', 'succeeded', 'failed', 'requires_action', 'pending', 'refused', 'error', 'cut'] as const

const FIELDS: Readonly<Record<FormName, readonly Field[]>> = {
  new: [
    { name: 'what', label: 'what', choices: ['payment', 'payout'] },
    { name: 'amount', label: 'amount', hint: 'in major units: 1500 or 1500.50' },
    { name: 'currency', label: 'currency', hint: 'ISO 4217' },
    { name: 'method', label: 'method', choices: PAYMENT_METHODS, when: ofPayment },
    { name: 'order_id', label: 'order', hint: 'may be empty', when: ofPayment },
    { name: 'phone', label: 'phone', hint: '+7 and ten digits', when: ofPayout },
    { name: 'bank_id', label: 'bank', hint: '`psp banks` lists them', when: ofPayout },
    { name: 'full_name', label: 'name', hint: 'may be empty', when: ofPayout },
    { name: 'outcome', label: 'outcome', choices: OUTCOMES },
    {
      name: 'code',
      label: 'code',
      choices: CODES,
      when: ({ outcome }) => outcome === 'failed' || outcome === 'refused',
    },
    { name: 'error', label: 'error', choices: PLANNED_ERRORS, when: ({ outcome }) => outcome === 'error' },
    {
      name: 'delay',
      label: 'delay',
      hint: 'of the bank: 30s; empty: as set',
      when: ({ outcome }) => outcome !== 'as set',
    },
  ],
  decline: [{ name: 'code', label: 'code', choices: CODES, hint: 'arrows, or type its beginning' }],
  refund: [
    { name: 'amount', label: 'amount', hint: 'in major units' },
    { name: 'reason', label: 'reason', hint: 'may be empty' },
  ],
  advance: [{ name: 'by', label: 'by', hint: '30s, 20m, 2h, 3d, or idle: until nothing waits' }],
}

/** The fields that are shown with these values. */
export function shownFields({ name, values }: Pick<Form, 'name' | 'values'>): readonly Field[] {
  return FIELDS[name].filter(({ when }) => when === undefined || when(values))
}
