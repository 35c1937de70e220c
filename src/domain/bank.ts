// Spec 2.5 and 4.7: the directory of SBP banks, and who has left it.

import members from '../../fixtures/sbp-banks.json' with { type: 'json' }
import former from '../../fixtures/sbp-banks-former.json' with { type: 'json' }
import top30 from '../../fixtures/sbp-banks-top30.json' with { type: 'json' }

/** A bank as the API shows it: these three fields and no other. */
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

/** The whole registry or the thirty largest, by name in Russian collation: the order of the data file. */
export function directory(extent: 'full' | 'top30'): readonly Bank[] {
  return extent === 'full' ? BANKS : TOP_BANKS
}

export function findBank(memberId: string): Bank | undefined {
  return BY_ID.get(memberId)
}

/** `former`: it was a member once, so the id resolves but no transfer arrives. */
export function bankStatus(memberId: string): 'member' | 'former' | 'unknown' {
  if (BY_ID.has(memberId)) return 'member'
  return FORMER.has(memberId) ? 'former' : 'unknown'
}

/** Banks whose names or id hold every word of `query`, in any letter case; `ё` and `е` are one letter. */
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
