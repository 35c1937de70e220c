// Spec 2.5 and 4.7: the directory of banks.
import { describe, expect, test } from 'vitest'
import former from '../../fixtures/sbp-banks-former.json' with { type: 'json' }
import top30 from '../../fixtures/sbp-banks-top30.json' with { type: 'json' }
import { bankDirectory, bankStatus, findBank, searchBanks } from '../../src/domain/bank.ts'

describe('the directory', () => {
  test('the directory has 218 banks with three fields each', () => {
    expect(bankDirectory('full')).toHaveLength(218)
    for (const bank of bankDirectory('full')) {
      expect(Object.keys(bank)).toEqual(['member_id', 'name', 'name_en'])
      expect(bank.member_id).toMatch(/^\d{12}$/)
      expect(bank.name).not.toBe('')
      expect(bank.name_en).not.toBe('')
    }
    expect(new Set(bankDirectory('full').map((bank) => bank.member_id)).size).toBe(218)
  })

  test.each(['full', 'top30'] as const)('the directory %s is sorted in Russian collation', (extent) => {
    const names = bankDirectory(extent).map((bank) => bank.name)
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'ru')))
  })

  test('the top 30 are part of the directory', () => {
    expect(
      bankDirectory('top30')
        .map((bank) => bank.member_id)
        .sort(),
    ).toEqual([...top30].sort())
  })
})

describe('membership', () => {
  test('bankStatus distinguishes members, former members and unknown ids', () => {
    expect(bankStatus('100000000111')).toBe('member')
    for (const bank of former) expect(bankStatus(bank.member_id)).toBe('former')
    for (const id of ['000000000000', '100000000999', '', '__proto__']) expect(bankStatus(id)).toBe('unknown')
  })

  test('findBank returns a member by its id', () => {
    expect(findBank('100000000111')?.name).toBe('Сбербанк')
    expect(findBank('100000000009')).toBeUndefined()
  })
})

describe('search', () => {
  const found = (query: string) => searchBanks(query).map((bank) => bank.member_id)

  test.each(['сбер', 'СБЕРБАНК', 'sberbank', '100000000111', 'банк sber'])('the search %j finds Sberbank', (query) => {
    expect(found(query)).toContain('100000000111')
  })

  test('each word must match, and a search without results returns an empty list', () => {
    expect(found('сбербанк нет-такого')).toEqual([])
    expect(found('  ')).toHaveLength(218)
    expect(found('.*')).toEqual([])
  })

  test('the search can be limited to the top 30', () => {
    expect(searchBanks('', bankDirectory('top30'))).toHaveLength(30)
  })
})
