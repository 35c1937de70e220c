import { describe, expect, it, test } from 'vitest'
import { editForm, editText, focusField } from '../../src/view-model/forms/edit-form.ts'
import type { Form } from '../../src/view-model/forms/form.ts'
import { formatAmount, parseMoney, visibleFields } from '../../src/view-model/forms/form-fields.ts'
import { openAdvanceForm, openDeclineForm, openNewForm } from '../../src/view-model/forms/open-form.ts'
import { submitForm } from '../../src/view-model/forms/submit-form.ts'

const fillForm = (values: Record<string, string>, form: Form = openNewForm('payment')): Form => ({
  ...form,
  values: { ...form.values, ...values },
})
const submitResult = (form: Form) => {
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
])('parseMoney reads %j in %s as %s', (text, currency, amount) => {
  expect(parseMoney(text, currency)).toBe(amount)
})

test('formatAmount writes amounts in the format that parseMoney reads', () => {
  expect([formatAmount(150_050, 'RUB'), formatAmount(5, 'RUB'), formatAmount(1500, 'JPY')]).toEqual([
    '1500.50',
    '0.05',
    '1500',
  ])
})

test.each([
  ['amount', '?', '1', '1'],
  ['currency', '5', 'U', 'U'],
  ['phone', '?', '7', '7'],
])('the field %s rejects %j, keeps its value, and accepts %j', (name, rejected, accepted, value) => {
  const form = focusField(openNewForm('payout'), name)
  const after = editForm(form, rejected)
  expect(after.values).toEqual(form.values)
  expect(after).toMatchObject({ selected: true, blocked: false })
  expect(after.problem).toContain(`The ${name} cannot contain “${rejected}”.`)
  expect(editForm(after, accepted).values[name]).toBe(value)
  expect(editForm(after, accepted).problem).toBeUndefined()
})

test('a field for text accepts any character', () => {
  expect(editForm(focusField(openNewForm('payment'), 'order_id'), '?').values['order_id']).toBe('?')
})

describe('the form for a new object', () => {
  it('creates a payment or a payout from its values', () => {
    expect(submitResult(fillForm({ amount: '12.30', order_id: ' A-1 ', method: 'cards' }))).toEqual({
      do: 'create_payment',
      body: { amount: 1230, currency: 'RUB', method: 'cards', order_id: 'A-1' },
      outcome: undefined,
    })
    expect(submitResult(fillForm({ what: 'payout', full_name: 'Иван Петров' }))).toMatchObject({
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
  ])('converts %j to the plan %s', (values, outcome) => {
    expect(submitResult(fillForm(values))).toMatchObject({ outcome })
  })

  it.each([
    [{ currency: 'RUR' }, 'Enter an ISO 4217 currency code, such as RUB or JPY.'],
    [{ amount: 'ten' }, 'Enter an amount above 0, such as 1500 or 1500.50.'],
    [{ outcome: 'pending', delay: '30' }, 'Enter a delay such as 30s or 20m, or leave it empty.'],
    [{ what: 'payout', phone: '' }, 'A payout needs a phone and a bank.'],
  ])('rejects %j with %j', (values, problem) => {
    expect(submitResult(fillForm(values))).toBe(problem)
  })

  it('shows only the fields that apply to the values', () => {
    const names = (form: Form) => visibleFields(form).map(({ name }) => name)
    expect(names(openNewForm('payment'))).toEqual(['what', 'amount', 'currency', 'method', 'order_id', 'outcome'])
    expect(names(fillForm({ what: 'payout', outcome: 'failed' }))).toEqual([
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
])('the advance form accepts %j', (by, body) => {
  expect(submitResult(fillForm({ by }, openAdvanceForm()))).toEqual({ do: 'advance', body })
})

test.each(['', '20', '0s', 'tomorrow'])('the advance form rejects %j', (by) => {
  expect(submitResult(fillForm({ by }, openAdvanceForm()))).toMatch(/^Enter 30s/)
})

describe('editing a form', () => {
  const type = (text: string, cursor: number, ...names: readonly string[]) => names.reduce(editText, { text, cursor })

  it('inserts, skips and deletes whole characters', () => {
    expect(type('', 0, '₽', '5')).toEqual({ text: '₽5', cursor: 2 })
    expect(type('аб', 2, 'left', 'я')).toEqual({ text: 'аяб', cursor: 2 })
    expect(type('a👍b', 2, 'backspace')).toEqual({ text: 'ab', cursor: 1 })
    expect(type('abc', 3, 'home', 'right', 'ctrl+u')).toEqual({ text: 'bc', cursor: 0 })
    expect(type('abc', 0, 'backspace', 'left', 'page_up')).toEqual({ text: 'abc', cursor: 0 })
  })

  it('cycles through the fields and selects the whole text of each', () => {
    const form = openNewForm('payment')
    expect([form.field, form.selected]).toEqual([1, true])
    const next = editForm(form, 'tab')
    expect([next.field, next.cursor, next.selected]).toEqual([2, 'RUB'.length, true])
    expect(pressKeys(form, 'up', 'up').field).toBe(5)
  })

  it('replaces selected text, and otherwise inserts at the cursor', () => {
    const amount = (...names: readonly string[]) => pressKeys(openNewForm('payment'), ...names).values['amount']
    expect(amount(...'1500.5')).toBe('1500.5')
    expect(amount('right', '5')).toBe('100.005')
    expect(amount('home', '5')).toBe('5100.00')
    expect([amount('backspace'), amount('ctrl+u')]).toEqual(['', ''])
    expect(amount('tab', 'shift+tab', '7')).toBe('7')
  })

  it('cycles through the choices of a field', () => {
    const valueAfter = (key: string) => pressKeys(openNewForm('payment'), 'up', key).values['what']
    expect([valueAfter('right'), valueAfter('left'), valueAfter(' '), valueAfter('q')]).toEqual([
      'payout',
      'payout',
      'payout',
      'payment',
    ])
  })

  it('blocks the form after a key that matches no choice, until another key is pressed', () => {
    const blocked = pressKeys(openNewForm('payment'), 'up', '1')
    expect([blocked.problem, blocked.blocked]).toEqual([
      'No object begins with “1”. Use ← → to choose, or Tab for the next field.',
      true,
    ])
    expect(pressKeys(blocked, 'right')).toMatchObject({ problem: undefined, blocked: false })
    expect(pressKeys(blocked, 'tab')).toMatchObject({ problem: undefined, blocked: false })
  })
})

describe('the choices of failure codes', () => {
  const choices = (form: Form) => visibleFields(form).find(({ name }) => name === 'code')?.choices

  it('contain only codes of the object that is declined', () => {
    expect(choices(openDeclineForm('p', 'payments'))).toContain('card_lost')
    expect(choices(openDeclineForm('p', 'payments'))).not.toContain('recipient_not_found')
    expect(choices(openDeclineForm('p', 'payouts'))).toContain('recipient_not_found')
    expect(choices(openDeclineForm('p', 'payouts'))).not.toContain('card_lost')
  })

  it('change when another object is chosen', () => {
    const form = fillForm({ outcome: 'failed', code: 'card_lost' }, openNewForm('payment'))
    const { values } = pressKeys(form, 'up', 'right')
    expect([values['what'], values['code']]).toEqual(['payout', 'do_not_honor'])
  })
})

function pressKeys(form: Form, ...names: readonly string[]): Form {
  return names.reduce(editForm, form)
}
