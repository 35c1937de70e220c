// Creates each form in its initial state.
import { groupDigits } from '../../domain/count-text.ts'
import { focusField } from './edit-form.ts'
import { type Form, NO_SUBJECT, type Values } from './form.ts'
import { AUTOMATIC, formatAmount, visibleFields } from './form-fields.ts'

export function openAdvanceForm(): Form {
  return createForm('advance', 'Advance the clock and run everything that becomes due', { by: '20m' })
}

/** Opens at the amount, the field that is changed most often. */
export function openNewForm(what: 'payment' | 'payout'): Form {
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
  return focusField(createForm('new', 'New payment or payout', values), 'amount')
}

export function openDeclineForm(id: string, pane: 'payments' | 'payouts'): Form {
  const what = pane === 'payouts' ? 'payout' : 'payment'
  return {
    ...createForm('decline', `Decline ${what} ${id}`, { what, code: 'insufficient_funds' }),
    subject: { ...NO_SUBJECT, id, pane },
  }
}

/** @param totals the sum in each currency, as text for the title */
export function openDeclineManyForm(ids: readonly string[], pane: 'payments' | 'payouts', totals: string): Form {
  const [id = '', ...others] = ids
  const form = openDeclineForm(id, pane)
  return {
    ...form,
    title: `Decline ${groupDigits(ids.length)} ${pane}, ${totals}`,
    subject: { ...form.subject, others },
  }
}

export function openResendForm(eventId: string, event: string, url: string): Form {
  const form = createForm('resend', `Send ${event} again: same bytes`, { url, timestamp: 'new' })
  return { ...form, subject: { ...NO_SUBJECT, id: eventId } }
}

/** @param remainder the amount that can still be refunded, in minor units */
export function openRefundForm(id: string, remainder: number, currency: string): Form {
  const form = createForm('refund', `Refund payment ${id}`, { amount: formatAmount(remainder, currency), reason: '' })
  return { ...form, subject: { ...NO_SUBJECT, id, remainder, currency } }
}

function createForm(name: Form['name'], title: string, values: Values): Form {
  const form: Form = {
    name,
    title,
    values,
    field: 0,
    cursor: 0,
    selected: false,
    problem: undefined,
    blocked: false,
    subject: NO_SUBJECT,
  }
  return focusField(form, visibleFields(form)[0]?.name ?? '')
}
