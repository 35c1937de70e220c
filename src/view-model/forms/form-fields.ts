// The fields of every form, and amounts as users type them.

import { minorUnits } from '../../domain/currency.ts'
import { PAYMENT_FAILURE_CODES, PAYOUT_FAILURE_CODES } from '../../domain/failure-codes.ts'
import { PAYMENT_METHODS } from '../../domain/payment-methods.ts'
import { PLANNED_ERRORS } from '../../domain/simulator-plan.ts'
import type { Field, Form, FormName, Values } from './form.ts'

const isPayment = ({ what }: Values) => what === 'payment'
const isPayout = ({ what }: Values) => what === 'payout'

/** Lets rules, magic values and settings decide the outcome. */
export const AUTOMATIC = 'automatic'

const OUTCOMES = [AUTOMATIC, 'succeeded', 'failed', 'requires_action', 'pending', 'refused', 'error', 'cut'] as const

/** The characters that `parseMoney` accepts. */
const AMOUNT_CHARACTERS = /[\d.,_\s]/

const FIELDS: Readonly<Record<FormName, readonly Field[]>> = {
  new: [
    { name: 'what', label: 'object', choices: ['payment', 'payout'] },
    { name: 'amount', label: 'amount', hint: 'in major units: 1500 or 1500.50', characters: AMOUNT_CHARACTERS },
    { name: 'currency', label: 'currency', hint: 'ISO 4217', characters: /[a-z]/i },
    { name: 'method', label: 'method', choices: PAYMENT_METHODS, when: isPayment },
    { name: 'order_id', label: 'order', hint: 'optional', when: isPayment },
    { name: 'phone', label: 'phone', hint: '+7 and ten digits', characters: /[\d+ ()-]/, when: isPayout },
    { name: 'bank_id', label: 'bank', terminalHint: 'see `psp banks`', when: isPayout },
    { name: 'full_name', label: 'name', hint: 'optional', when: isPayout },
    { name: 'outcome', label: 'outcome', choices: OUTCOMES, hint: 'automatic: rules, magic values or settings decide' },
    ...codeFields(({ outcome }) => outcome === 'failed' || outcome === 'refused'),
    { name: 'error', label: 'error', choices: PLANNED_ERRORS, when: ({ outcome }) => outcome === 'error' },
    {
      name: 'delay',
      label: 'delay',
      hint: 'until the bank responds, such as 30s; optional',
      when: ({ outcome }) => outcome !== AUTOMATIC,
    },
  ],
  decline: codeFields(() => true),
  refund: [
    { name: 'amount', label: 'amount', hint: 'in major units', characters: AMOUNT_CHARACTERS },
    { name: 'reason', label: 'reason', hint: 'optional' },
  ],
  resend: [
    { name: 'url', label: 'to', hint: 'a URL; an endpoint is not needed' },
    {
      name: 'timestamp',
      label: 'timestamp',
      choices: ['new', 'first'],
      hint: 'new: the current time; first: that of the first attempt',
    },
  ],
  advance: [{ name: 'by', label: 'by', hint: '30s, 20m, 2h, 3d, or idle: until no timer is left' }],
}

export function visibleFields({ name, values }: Pick<Form, 'name' | 'values'>): readonly Field[] {
  return FIELDS[name].filter(({ when }) => when === undefined || when(values))
}

/** Payments and payouts have different failure codes, so there is a field for each. Only one is shown. */
function codeFields(when: (values: Values) => boolean): readonly Field[] {
  const field = { name: 'code', label: 'code', terminalHint: 'arrows, or the first letter' }
  return [
    { ...field, choices: PAYMENT_FAILURE_CODES, when: (values) => isPayment(values) && when(values) },
    { ...field, choices: PAYOUT_FAILURE_CODES, when: (values) => isPayout(values) && when(values) },
  ]
}

/** Parses `1 500.50` in RUB to 150050. Returns `undefined` for text that is not an amount of this currency. */
export function parseMoney(text: string, currency: string): number | undefined {
  const digits = minorUnits(currency)
  const [, major = '', minor = ''] = /^(\d+)(?:[.,](\d+))?$/.exec(text.replace(/[\s_]/g, '')) ?? []
  if (digits === undefined || major === '' || minor.length > digits) return undefined
  const amount = Number(major + minor.padEnd(digits, '0'))
  return Number.isSafeInteger(amount) && amount > 0 ? amount : undefined
}

/** Formats 150050 in RUB as `1500.50`, without the currency. */
export function formatAmount(amount: number, currency: string): string {
  const digits = minorUnits(currency) ?? 2
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
