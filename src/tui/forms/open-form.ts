// Forms as they open.

import { shownFields } from './fields.ts'
import { type Form, NO_SUBJECT, type Values } from './form.ts'
import { moneyText } from './money.ts'

export function openForm(name: 'new' | 'advance'): Form {
  if (name === 'advance')
    return form('advance', 'Move the clock ahead; all that falls due happens on the way', { by: '20m' })
  return form('new', 'New payment or payout', {
    what: 'payment',
    amount: '100.00',
    currency: 'RUB',
    method: 'sbp',
    order_id: '',
    phone: '+79001234567',
    bank_id: '100000000004',
    full_name: '',
    outcome: 'as set',
    code: 'do_not_honor',
    error: 'aml_blocked',
    delay: '',
  })
}

export function declineForm(id: string, pane: 'payments' | 'payouts'): Form {
  const what = pane === 'payouts' ? 'payout' : 'payment'
  return {
    ...form('decline', `Decline ${what} ${id}`, { code: 'insufficient_funds' }),
    subject: { ...NO_SUBJECT, id, pane },
  }
}

/** @param remainder minor units that are left */
export function refundForm(id: string, remainder: number, currency: string): Form {
  const opened = form('refund', `Refund payment ${id}`, { amount: moneyText(remainder, currency), reason: '' })
  return { ...opened, subject: { ...NO_SUBJECT, id, remainder, currency } }
}

function form(name: Form['name'], title: string, values: Values): Form {
  const first = shownFields({ name, values })[0]?.name ?? ''
  return {
    name,
    title,
    values,
    field: 0,
    cursor: [...(values[first] ?? '')].length,
    problem: undefined,
    subject: NO_SUBJECT,
  }
}
