import { describe, expect, it, test } from 'vitest'
import { editForm, editText } from '../../src/tui/forms/edit-form.ts'
import type { Form } from '../../src/tui/forms/form.ts'
import { visibleFields } from '../../src/tui/forms/form-fields.ts'
import { formatAmount, parseMoney } from '../../src/tui/forms/money.ts'
import { openAdvanceForm, openDeclineForm, openNewForm } from '../../src/tui/forms/open-form.ts'
import { submitForm } from '../../src/tui/forms/submit-form.ts'

const filled = (values: Record<string, string>, form: Form = openNewForm('payment')): Form => ({
  ...form,
  values: { ...form.values, ...values },
})
const effectOf = (form: Form) => {
  const submitted = submitForm(form)
  return 'effect' in submitted ? submitted.effect : submitted.problem
}

test.each([
  ['1500', 'RUB', 150_000],
  ['1 500,5', 'RUB', 150_050],
  ['0.01', 'USD', 1],
  ['8.20', 'RUB', 820],
  ['1500', 'JPY', 1500],
  ['1.234', 'KWD', 1234],
  ['1500.5', 'JPY', undefined],
  ['1.001', 'RUB', undefined],
  ['0', 'RUB', undefined],
  ['-5', 'RUB', undefined],
  ['', 'RUB', undefined],
  ['90071992547409.92', 'RUB', undefined],
  ['5', 'XXX', undefined],
])('%s of %s is %s', (text, currency, amount) => {
  expect(parseMoney(text, currency)).toBe(amount)
})

test('money is written as it is read', () => {
  expect([formatAmount(150_050, 'RUB'), formatAmount(5, 'RUB'), formatAmount(1500, 'JPY')]).toEqual([
    '1500.50',
    '0.05',
    '1500',
  ])
})

describe('a new payment or payout', () => {
  it('is asked for with what was filled in', () => {
    expect(effectOf(filled({ amount: '12.30', order_id: ' A-1 ', method: 'cards' }))).toEqual({
      do: 'create_payment',
      body: { amount: 1230, currency: 'RUB', method: 'cards', order_id: 'A-1' },
      outcome: undefined,
    })
    expect(effectOf(filled({ what: 'payout', full_name: 'Иван Петров' }))).toMatchObject({
      do: 'create_payout',
      body: { amount: 10_000, phone: '+79001234567', bank_id: '100000000004', full_name: 'Иван Петров' },
    })
  })

  it.each([
    [{ outcome: 'pending' }, 'pending'],
    [{ outcome: 'failed', code: 'card_expired' }, 'failed:card_expired'],
    [{ outcome: 'refused', code: 'do_not_honor', delay: '30s' }, 'refused:do_not_honor@30s'],
    [{ outcome: 'error', error: 'router_error' }, 'error:router_error'],
    [{ outcome: 'automatic', delay: '30s' }, undefined],
  ])('%j is the plan %s', (values, outcome) => {
    expect(effectOf(filled(values))).toMatchObject({ outcome })
  })

  it.each([
    [{ currency: 'RUR' }, 'The currency is a code of ISO 4217, such as RUB or JPY.'],
    [{ amount: 'ten' }, 'The amount is a number above 0, such as 1500 or 1500.50.'],
    [{ outcome: 'pending', delay: '30' }, 'The delay is a duration such as 30s or 20m, or empty.'],
    [{ what: 'payout', phone: '' }, 'A payout needs a phone and a bank.'],
  ])('%j: %s', (values, problem) => {
    expect(effectOf(filled(values))).toBe(problem)
  })

  it('shows the fields that matter', () => {
    const names = (form: Form) => visibleFields(form).map(({ name }) => name)
    expect(names(openNewForm('payment'))).toEqual(['what', 'amount', 'currency', 'method', 'order_id', 'outcome'])
    expect(names(filled({ what: 'payout', outcome: 'failed' }))).toEqual([
      'what',
      'amount',
      'currency',
      'phone',
      'bank_id',
      'full_name',
      'outcome',
      'code',
      'delay',
    ])
  })
})

test.each([
  ['20m', { by: '20m' }],
  ['idle', { until: 'idle' }],
  ['2026-05-06T12:00:00Z', { to: '2026-05-06T12:00:00Z' }],
])('advance %s', (by, body) => {
  expect(effectOf(filled({ by }, openAdvanceForm()))).toEqual({ do: 'advance', body })
})

test.each(['', '20', '0s', 'tomorrow'])('advance %j is refused', (by) => {
  expect(effectOf(filled({ by }, openAdvanceForm()))).toMatch(/^Write 30s/)
})

describe('typing', () => {
  const typed = (text: string, cursor: number, ...names: readonly string[]) => names.reduce(editText, { text, cursor })

  it('puts, moves and takes away whole characters', () => {
    expect(typed('', 0, '₽', '5')).toEqual({ text: '₽5', cursor: 2 })
    expect(typed('аб', 2, 'left', 'я')).toEqual({ text: 'аяб', cursor: 2 })
    expect(typed('a👍b', 2, 'backspace')).toEqual({ text: 'ab', cursor: 1 })
    expect(typed('abc', 3, 'home', 'right', 'ctrl+u')).toEqual({ text: 'bc', cursor: 0 })
    expect(typed('abc', 0, 'backspace', 'left', 'page_up')).toEqual({ text: 'abc', cursor: 0 })
  })

  it('goes around the fields, each of which is chosen whole', () => {
    const form = openNewForm('payment')
    expect([form.field, form.selected]).toEqual([1, true])
    const next = editForm(form, 'tab')
    expect([next.field, next.cursor, next.selected]).toEqual([2, 'RUB'.length, true])
    expect(pressed(form, 'up', 'up').field).toBe(5)
  })

  it('takes the place of what is chosen, and stands beside what is not', () => {
    const amount = (...names: readonly string[]) => pressed(openNewForm('payment'), ...names).values['amount']
    expect(amount(...'1500.5')).toBe('1500.5')
    expect(amount('right', '5')).toBe('100.005')
    expect(amount('home', '5')).toBe('5100.00')
    expect([amount('backspace'), amount('ctrl+u')]).toEqual(['', ''])
    expect(amount('tab', 'shift+tab', '7')).toBe('7')
  })

  it('goes through choices', () => {
    const changed = (key: string) => pressed(openNewForm('payment'), 'up', key).values['what']
    expect([changed('right'), changed('left'), changed(' '), changed('q')]).toEqual([
      'payout',
      'payout',
      'payout',
      'payment',
    ])
  })

  it('says at once where a key means nothing to a choice, until something else is pressed', () => {
    const lost = pressed(openNewForm('payment'), 'up', '1')
    expect([lost.problem, lost.blocked]).toEqual([
      'No what begins with “1”: ← → choose, Tab goes to the next field.',
      true,
    ])
    expect(pressed(lost, 'right')).toMatchObject({ problem: undefined, blocked: false })
    expect(pressed(lost, 'tab')).toMatchObject({ problem: undefined, blocked: false })
  })
})

describe('failure codes', () => {
  const choices = (form: Form) => visibleFields(form).find(({ name }) => name === 'code')?.choices

  it('are those that a payment or a payout can have', () => {
    expect(choices(openDeclineForm('p', 'payments'))).toContain('card_lost')
    expect(choices(openDeclineForm('p', 'payments'))).not.toContain('recipient_not_found')
    expect(choices(openDeclineForm('p', 'payouts'))).toContain('recipient_not_found')
    expect(choices(openDeclineForm('p', 'payouts'))).not.toContain('card_lost')
  })

  it('follow the choice of the object', () => {
    const form = filled({ outcome: 'failed', code: 'card_lost' }, openNewForm('payment'))
    const { values } = pressed(form, 'up', 'right')
    expect([values['what'], values['code']]).toEqual(['payout', 'do_not_honor'])
  })
})

function pressed(form: Form, ...names: readonly string[]): Form {
  return names.reduce(editForm, form)
}
