// Forms as they open.
import { goTo } from './edit.ts'
import { AUTOMATIC, shownFields } from './fields.ts'
import { type Form, NO_SUBJECT, type Values } from './form.ts'
import { moneyText } from './money.ts'

export function advanceForm(): Form {
  return form('advance', 'Move the clock ahead; all that falls due happens on the way', { by: '20m' })
}

/** At its amount, which nearly everybody changes. */
export function newForm(what: 'payment' | 'payout'): Form {
  const values = {
    what,
    amount: '100.00',
    currency: 'RUB',
    method: 'sbp',
    order_id: '',
    phone: '+79001234567',
    bank_id: '100000000004',
    full_name: '',
    outcome: AUTOMATIC,
    code: 'do_not_honor',
    error: 'aml_blocked',
    delay: '',
  }
  return goTo(form('new', 'New payment or payout', values), 'amount')
}

export function declineForm(id: string, pane: 'payments' | 'payouts'): Form {
  const what = pane === 'payouts' ? 'payout' : 'payment'
  return {
    ...form('decline', `Decline ${what} ${id}`, { what, code: 'insufficient_funds' }),
    subject: { ...NO_SUBJECT, id, pane },
  }
}

/** @param remainder minor units that are left */
export function refundForm(id: string, remainder: number, currency: string): Form {
  const opened = form('refund', `Refund payment ${id}`, { amount: moneyText(remainder, currency), reason: '' })
  return { ...opened, subject: { ...NO_SUBJECT, id, remainder, currency } }
}

function form(name: Form['name'], title: string, values: Values): Form {
  const opened: Form = {
    name,
    title,
    values,
    field: 0,
    cursor: 0,
    selected: false,
    problem: undefined,
    astray: false,
    subject: NO_SUBJECT,
  }
  return goTo(opened, shownFields(opened)[0]?.name ?? '')
}
