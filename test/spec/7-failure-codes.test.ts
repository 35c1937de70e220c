// Spec 7: unified failure codes and the raw codes of banks.
import { describe, expect, test } from 'vitest'
import { EXPIRY_CODES, FAILURE_CODES, type FailureCode, rawBankCode } from '../../src/domain/failure-codes.ts'

const CODES = Object.keys(FAILURE_CODES) as FailureCode[]

describe('failure codes', () => {
  test('the failure codes include the two public ones', () => {
    expect(CODES).toContain('do_not_honor')
    expect(CODES).toContain('bank_unknown')
  })

  test('no expiry code is a failure code of a bank', () => {
    for (const code of EXPIRY_CODES) expect(CODES).not.toContain(code)
  })

  test.each([
    ['do_not_honor', 'card', '05'],
    ['do_not_honor', 'transfer', 'I05005'],
    ['rejected_by_payer', 'transfer', 'I05043'],
    ['three_ds_failed', 'card', '5206'],
    ['permission_revoked', 'card', 'R1'],
    ['card_lost', 'transfer', '41'],
    ['recipient_not_found', 'card', 'I05014'],
    ['balance_insufficient', 'card', undefined],
    ['balance_insufficient', 'transfer', undefined],
  ] as const)('the raw code of %s by %s is %s', (code, network, raw) => {
    expect(rawBankCode(code, network)).toBe(raw)
  })

  test('each raw code has the format of its network', () => {
    for (const code of CODES) {
      const row: { card?: string; transfer?: string } = FAILURE_CODES[code]
      if (row.transfer !== undefined) expect(row.transfer).toMatch(/^I05\d{3}$/)
      if (row.card !== undefined) expect(row.card).toMatch(/^([0-9A-Z]{2}|\d{4})$/)
    }
  })
})
