import { describe, expect, it } from 'vitest'
import { parseFilter } from '../../src/view-model/rows/filter.ts'
import type { DeliveryRow, PaymentRow } from '../../src/view-model/rows/rows.ts'
import { createPayment } from '../tui/fixtures.ts'

const payment = (fields: Parameters<typeof createPayment>[1]): PaymentRow => ({
  id: 'p1',
  payment: createPayment('p1', fields),
  steps: [],
  lastMessageId: 0,
})

const ROW = payment({
  status: 'failed',
  amount: 150_050,
  order_id: 'A-1042',
  metadata: { failure_code: 'do_not_honor', Cart: '7', note: 'Две книги' },
})
const matches = (text: string, row = ROW) => parseFilter(text, 'payments').matches(row, () => 'the text of a row')

describe('a filter', () => {
  it.each([
    ['', true],
    ['text row', true],
    ['text missing', false],
    ['"text of"', true],
    ['"of text"', false],
    ['status=failed', true],
    ['STATUS=Failed', true],
    ['status!=failed', false],
    ['status!=expired', true],
    ['status=expired,failed', true],
    ['status=f*d', true],
    ['status=f', false],
    ['amount>1000', true],
    ['amount>1500.5', false],
    ['amount>=1500.4', true],
    ['amount>=1500.5', true],
    ['amount>=1500.6', false],
    ['amount<1500.5', false],
    ['amount<1500.6', true],
    ['amount<=1500.4', false],
    ['amount<=1500.6', true],
    ['amount<=1500,50', true],
    ['amount=1500.50', true],
    ['amount<1_000', false],
    ['order~a-10', true],
    ['order~b-10', false],
    ['order!~a-10', false],
    ['order!~b-10', true],
    ['order=A-*', true],
    ['metadata.cart=7', true],
    ['metadata.cart>6', false],
    ['metadata.none=x,', false],
    ['metadata.note~"две кн"', true],
    ['code=do_not_honor amount>1000 row', true],
    ['code=do_not_honor amount>2000 row', false],
    ['created>2026', false],
    ['created~2026-05-06', true],
  ])('reads %j and returns for a failed payment: %s', (text, expected) => {
    expect(matches(text)).toBe(expected)
  })

  it('compares amounts in the major units of their currency', () => {
    const yen = payment({ amount: 1500, currency: 'JPY' })
    expect(matches('amount>1000', yen)).toBe(true)
    expect(matches('amount=1500', yen)).toBe(true)
  })

  it('ignores a comparison without a value, because the user is still typing', () => {
    expect(matches('status=')).toBe(true)
    expect(parseFilter('status=', 'payments').problem).toBeUndefined()
  })

  it('searches an unknown field as a word, and names the fields', () => {
    const { matches: find, problem } = parseFilter('stats=failed', 'payments')
    expect(find(ROW, () => 'x stats=failed y')).toBe(true)
    expect(find(ROW, () => 'x')).toBe(false)
    expect(problem).toContain('stats is not a field. Fields: status, amount')
  })

  it('explains an operator that needs a number', () => {
    expect(parseFilter('amount>much', 'payments').problem).toBe('> needs a number: amount>100.')
    expect(matches('amount>much')).toBe(true)
  })

  it.each(['"', '=', '==', '>', 'a=b=c', '(', '*', 'status=(', 'status=*(*', '\\', 'metadata.=1', '~', '"a'])(
    'never throws for %j',
    (text) => {
      expect(() => matches(text)).not.toThrow()
    },
  )

  it('matches no comparison with a value that the row does not have', () => {
    const row = { id: 'd1', status: 'waiting', attemptsMade: 0 } as DeliveryRow
    const find = (text: string) => parseFilter(text, 'deliveries').matches(row, () => '')
    expect([find('failing=no'), find('tries=0'), find('result=500'), find('ms>0')]).toEqual([true, true, false, false])
  })
})
