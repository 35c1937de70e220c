// Spec 2.5 and 4.7: the directory of SBP banks and its former members.

import members from '../../fixtures/sbp-banks.json' with { type: 'json' }
import former from '../../fixtures/sbp-banks-former.json' with { type: 'json' }
import top30 from '../../fixtures/sbp-banks-top30.json' with { type: 'json' }

/** A bank as the API shows it. */
export interface Bank {
  /** 12 digits. */
  readonly member_id: string
  readonly name: string
  readonly name_en: string
}

const BANKS: readonly Bank[] = members.map(({ member_id, name, name_en }) => ({ member_id, name, name_en }))
const TOP: ReadonlySet<string> = new Set(top30)
const TOP_BANKS: readonly Bank[] = BANKS.filter((bank) => TOP.has(bank.member_id))
const BY_ID: ReadonlyMap<string, Bank> = new Map(BANKS.map((bank) => [bank.member_id, bank]))
const FORMER: ReadonlySet<string> = new Set(former.map((bank) => bank.member_id))

/** Returns all banks or the thirty largest, sorted by name in Russian collation, as in the data file. */
export function bankDirectory(extent: 'full' | 'top30'): readonly Bank[] {
  return extent === 'full' ? BANKS : TOP_BANKS
}

export function findBank(memberId: string): Bank | undefined {
  return BY_ID.get(memberId)
}

/**
 * Returns the status of a bank id. A former member is known only by its id. A payout to it fails with `bank_unknown`,
 * unless a rule or the request chose another plan.
 */
export function bankStatus(memberId: string): 'member' | 'former' | 'unknown' {
  if (BY_ID.has(memberId)) return 'member'
  return FORMER.has(memberId) ? 'former' : 'unknown'
}

/** Returns the banks whose names or id contain each word, in any letter case. `ё` and `е` are the same letter. */
export function searchBanks(query: string, banks: readonly Bank[] = BANKS): readonly Bank[] {
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word !== '')
  return banks.filter((bank) => {
    const text = fold(`${bank.member_id} ${bank.name} ${bank.name_en}`)
    return words.every((word) => text.includes(word))
  })
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll('ё', 'е')
}
