// Spec 2.1, method: the payment methods and their differences.
import type { BankNetwork } from './failure-codes.ts'

/** The form on the hosted page: a choice of banks and their apps, a card form, or one app. */
export type PageForm = 'sbp' | 'cards' | 'wallet'

interface Row {
  /** Determines the raw failure codes, and whether the payer has a card or a phone and a bank. */
  readonly network: BankNetwork
  /** The `member_id` of the payer's bank, or `picked` if the buyer picks the bank. Cards have an issuer instead. */
  readonly bank?: 'picked' | `${number}`
  /** `waiting`: there is no buyer. The session opens at once, and the page does not offer the method. */
  readonly page: PageForm | 'waiting'
  /** Default of the setting `session_ttl.<name>`. */
  readonly session_ttl: string
}

/** The payment methods, in the order in which the page offers them. */
export const METHODS = {
  sbp: { network: 'transfer', bank: 'picked', page: 'sbp', session_ttl: '20m' },
  cards: { network: 'card', page: 'cards', session_ttl: '20m' },
  tpay: { network: 'transfer', bank: '100000000004', page: 'wallet', session_ttl: '20m' },
  sberpay: { network: 'transfer', bank: '100000000111', page: 'wallet', session_ttl: '20m' },
  recurrent: { network: 'card', page: 'waiting', session_ttl: '20m' },
} as const satisfies {
  readonly [name: string]: Row &
    ({ readonly network: 'card' } | { readonly network: 'transfer'; readonly bank: string })
}

export type Method = keyof typeof METHODS
export const METHOD_NAMES = Object.keys(METHODS) as [Method, ...Method[]]

/** `any`: the buyer has not chosen a method yet. */
export type PaymentMethod = Method | 'any'
export const PAYMENT_METHODS = [...METHOD_NAMES, 'any'] as const

/** The methods that the buyer can choose on the hosted page. */
export type PageMethod = {
  [M in Method]: (typeof METHODS)[M]['page'] extends PageForm ? M : never
}[Method]
export const PAGE_METHODS = METHOD_NAMES.filter(hasBuyer) as [PageMethod, ...PageMethod[]]

/** The method that the simulated buyer chooses. */
export const AUTOMATIC_METHOD = 'sbp' satisfies PageMethod

/** Whether a buyer takes part. A charge of a saved card has no buyer. */
export function hasBuyer(method: PaymentMethod): boolean {
  return method === 'any' || METHODS[method].page !== 'waiting'
}

export function picksBank(method: PaymentMethod): boolean {
  const row: Row | undefined = method === 'any' ? undefined : METHODS[method]
  return row?.bank === 'picked'
}
