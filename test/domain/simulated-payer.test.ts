import fc from 'fast-check'
import { expect, test } from 'vitest'
import payers from '../../fixtures/payers.json' with { type: 'json' }
import { bankDirectory, findBank } from '../../src/domain/bank.ts'
import { METHOD_NAMES, METHODS } from '../../src/domain/payment-methods.ts'
import { simulatedPayer } from '../../src/domain/simulated-payer.ts'

const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const methodsOf = (network: string) => METHOD_NAMES.filter((method) => METHODS[method].network === network)
const bankNames = bankDirectory('top30').map((bank) => bank.name)

test('the payer of a transfer has a phone and a bank but no card', () => {
  fc.assert(
    fc.property(draws, fc.constantFrom(...methodsOf('transfer')), (draw, method) => {
      const payer = simulatedPayer(method, draw)
      expect(payer.customer_phone_mask).toMatch(/^\+7\*{6}\d{4}$/)
      expect(bankNames).toContain(payer.customer_payer_bank)
      expect(Object.keys(payer).sort()).toEqual(['bank_name', 'customer_payer_bank', 'customer_phone_mask'])
    }),
  )
})

test('the payer of a wallet has the bank of the wallet', () => {
  expect(simulatedPayer('tpay', 0.3).customer_payer_bank).toBe('Т-Банк')
  expect(simulatedPayer('sberpay', 0.3).customer_payer_bank).toBe('Сбербанк')
})

test('the payer of a card has a brand, mask, holder and bank but no phone', () => {
  fc.assert(
    fc.property(draws, fc.constantFrom(...methodsOf('card')), (draw, method) => {
      const payer = simulatedPayer(method, draw)
      expect(payer.customer_card_mask).toMatch(/^\d{6}\*{6}\d{4}$/)
      expect(['MIR', 'Visa', 'Mastercard']).toContain(payer.customer_card_brand)
      expect(payers.holders).toContain(payer.customer_card_holder)
      expect(bankNames).toContain(payer.bank_name)
      expect(payer).not.toHaveProperty('customer_phone_mask')
    }),
  )
})

test('the same random number returns the same payer, and different numbers return different payers', () => {
  expect(simulatedPayer('sbp', 0.42)).toEqual(simulatedPayer('sbp', 0.42))
  const seen = new Set(Array.from({ length: 100 }, (_, i) => JSON.stringify(simulatedPayer('sbp', (i + 0.5) / 100))))
  expect(seen.size).toBeGreaterThan(90)
})

test('each bank of a payer is a member', () => {
  for (const method of methodsOf('transfer')) {
    const { bank } = METHODS[method] as { readonly bank: string }
    if (bank !== 'picked') expect(findBank(bank)).toBeDefined()
  }
  for (const { bank } of payers.issuers) expect(findBank(bank)).toBeDefined()
})
