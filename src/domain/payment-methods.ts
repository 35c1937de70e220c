// Spec 2.1, method: the ways to pay, and all in which they differ.
import type { Channel } from './failure-codes.ts'

/** What a buyer does on the hosted page: picks a bank and confirms in its app, types a card, confirms in one app. */
export type PageForm = 'sbp' | 'cards' | 'wallet'

interface Row {
  /** Whose codes a refusal carries; of the payer a session tells the card, or phone and bank. */
  readonly channel: Channel
  /** The payer's bank: the one picked on the page, or a `member_id`. A card names its issuer. */
  readonly bank?: 'picked' | `${number}`
  /** `waiting`: no buyer takes part; the session opens at once, and nobody can choose it on the page. */
  readonly page: PageForm | 'waiting'
  /** Default of the setting `session_ttl.<name>`. */
  readonly session_ttl: string
}

/** In the order in which the page offers them. */
export const METHODS = {
  sbp: { channel: 'transfer', bank: 'picked', page: 'sbp', session_ttl: '20m' },
  cards: { channel: 'card', page: 'cards', session_ttl: '20m' },
  tpay: { channel: 'transfer', bank: '100000000004', page: 'wallet', session_ttl: '20m' },
  sberpay: { channel: 'transfer', bank: '100000000111', page: 'wallet', session_ttl: '20m' },
  recurrent: { channel: 'card', page: 'waiting', session_ttl: '20m' },
} as const satisfies {
  readonly [name: string]: Row &
    ({ readonly channel: 'card' } | { readonly channel: 'transfer'; readonly bank: string })
}

export type Method = keyof typeof METHODS
export const METHOD_NAMES = Object.keys(METHODS) as [Method, ...Method[]]

/** `any`: the buyer has yet to choose. */
export type PaymentMethod = Method | 'any'
export const PAYMENT_METHODS = [...METHOD_NAMES, 'any'] as const

/** What the buyer can pick on the hosted page. */
export type PageMethod = {
  [M in Method]: (typeof METHODS)[M]['page'] extends PageForm ? M : never
}[Method]
export const PAGE_METHODS = METHOD_NAMES.filter(hasBuyer) as [PageMethod, ...PageMethod[]]

/** What the simulated buyer picks. */
export const AUTOMATIC_METHOD = 'sbp' satisfies PageMethod

/** False for a charge that asks nobody. */
export function hasBuyer(method: PaymentMethod): boolean {
  return method === 'any' || METHODS[method].page !== 'waiting'
}

/** True where the page offers banks to pay from. */
export function picksBank(method: PaymentMethod): boolean {
  const row: Row | undefined = method === 'any' ? undefined : METHODS[method]
  return row?.bank === 'picked'
}
