import { describe, expect, test } from 'vitest'
import magic from '../../fixtures/magic.json' with { type: 'json' }
import { isCardNumber } from '../../src/domain/card-masking.ts'
import {
  magicAmount,
  magicBank,
  magicCard,
  magicDescription,
  magicFullName,
  magicPhone,
} from '../../src/domain/magic.ts'
import { formatPlan, parsePlan } from '../../src/domain/simulator-plan.ts'

const written = (found: { plan: Parameters<typeof formatPlan>[0] } | undefined) => found && formatPlan(found.plan)

describe('payment amounts', () => {
  test.each(Object.entries(magic.amounts))('an amount that ends with .%s has its plan', (ss, row) => {
    for (const hundreds of [1, 15, 900_000]) {
      const found = magicAmount(hundreds * 10_000 + Number(ss))
      expect(written(found)).toBe(row.plan)
      expect(found?.label).toBe(`magic amount ${ss}`)
    }
  })

  test.each([51, 9951, 10_000, 10_100, 10_151, 11_051, 15_051, 150_050, 10_002, 0, -9949])(
    'the amount %d is an ordinary price',
    (amount) => {
      expect(magicAmount(amount)).toBeUndefined()
    },
  )

  test('refunds of an amount that ends with .31 fail, with .32 are pending, and with another end have no plan', () => {
    expect(magicAmount(10_031)?.plan).toEqual({ outcome: 'succeeded', refunds: 'failed' })
    expect(magicAmount(10_032)?.plan).toEqual({ outcome: 'succeeded', refunds: 'pending' })
    expect(magicAmount(10_068)?.plan).toEqual({ outcome: 'pending' })
  })

  test('only currencies with two fraction digits have magic amounts', () => {
    expect(written(magicAmount(10_051, 'USD'))).toBe('failed:insufficient_funds')
    expect(magicAmount(10_051, 'JPY')).toBeUndefined()
    expect(magicAmount(10_051, 'KWD')).toBeUndefined()
  })
})

test('a description with a marker has its plan', () => {
  expect(written(magicDescription('order FORBIDDEN_PURPOSE 7'))).toBe('error:forbidden_purpose')
  expect(magicDescription('forbidden_purpose')).toBeUndefined()
})

describe('payout phones', () => {
  test.each(Object.entries(magic.phones))('a phone that ends with %s has its plan', (digits, plan) => {
    const found = magicPhone(`+700000000${digits}`)
    expect(found && formatPlan(found.plan)).toBe(formatPlan(parsePlan(plan) ?? { outcome: 'cut' }))
    expect(found?.label).toBe(`magic phone ${digits}`)
  })

  test('a phone that ends with 01 succeeds after a minute', () => {
    expect(magicPhone('+70000000001')?.plan).toEqual({ outcome: 'succeeded', delay: 60_000 })
  })

  test('other digits succeed, and other phones are not magic', () => {
    expect(written(magicPhone('+70000000002'))).toBe('succeeded')
    for (const phone of ['+79161231205', '+7000000005', '+700000000051', '70000000005', '+70000000005\n']) {
      expect(magicPhone(phone)).toBeUndefined()
    }
  })
})

test('a full name with a marker has its plan', () => {
  expect(written(magicFullName('IVAN MISMATCH'))).toBe('failed:recipient_check_failed')
  expect(magicFullName('Иван Петров')).toBeUndefined()
})

describe('payout banks', () => {
  test.each([
    ['100000000998', { plan: { outcome: 'failed', code: 'bank_unknown' }, label: 'magic bank 100000000998' }],
    ['100000000241', { refusal: 'method_not_supported', label: 'magic bank 100000000241' }],
    ['100000000999', { refusal: 'router_error', label: 'magic bank 100000000999' }],
    ['000000000000', { refusal: 'router_error', label: 'magic bank 000000000000' }],
    ['100000000009', { plan: { outcome: 'failed', code: 'bank_unknown' }, label: 'former bank 100000000009' }],
    ['100000000111', undefined],
    ['123456789012', undefined],
  ])('the bank %s has its plan or refusal', (id, result) => {
    expect(magicBank(id)).toEqual(result)
  })
})

describe('cards on the page', () => {
  test.each(Object.keys(magic.cards))('the card %s passes the Luhn check, and its label hides it', (number) => {
    expect(isCardNumber(number)).toBe(true)
    const found = magicCard(number)
    expect(found?.label).toMatch(/^card \d{6}\*{6}\d{4}$/)
  })

  test('spaces in a card number are ignored', () => {
    expect(written(magicCard('2200 0000 0001 0516'))).toBe('failed:insufficient_funds')
  })

  test('a card with 3-D Secure has a plan for each choice of the buyer', () => {
    for (const number of ['2200000000010011', '4000000000003220']) {
      expect(magicCard(number)).toMatchObject({
        plan: { outcome: 'requires_action' },
        threeDs: { confirmed: { outcome: 'succeeded' }, declined: { outcome: 'failed', code: 'three_ds_failed' } },
      })
    }
  })

  test('a card that is not in the table is not magic', () => {
    expect(magicCard('2200000000000004')).toBeUndefined()
    expect(magicCard('')).toBeUndefined()
  })
})

test('each plan of the data file is valid', () => {
  const texts = JSON.stringify(magic).matchAll(/"(?:plan|confirmed|declined|other_phones)":"([^"]+)"/g)
  for (const [, text = ''] of texts) expect(parsePlan(text), text).toBeDefined()
})
