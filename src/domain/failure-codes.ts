// Spec 7: unified failure codes, and the raw codes of banks. The specification names two. The others are psp's.

/** The network to the payer's bank: a card network, or transfers between accounts. */
export type BankNetwork = keyof RawCodes

interface RawCodes {
  /** ISO 8583 response code of card networks, except that `5206` of `three_ds_failed` is not from ISO 8583. */
  readonly card?: string
  /** Code of SBP, wallets and payouts: `I05` and three digits. */
  readonly transfer?: string
}

export const FAILURE_CODES = {
  do_not_honor: { card: '05', transfer: 'I05005' },
  insufficient_funds: { card: '51', transfer: 'I05051' },
  call_issuer: { card: '01', transfer: 'I05001' },
  invalid_card_number: { card: '14' },
  card_expired: { card: '54' },
  invalid_cvc: { card: '82' },
  card_lost: { card: '41' },
  card_stolen: { card: '43' },
  card_restricted: { card: '62' },
  transaction_not_allowed: { card: '57', transfer: 'I05057' },
  fraud_suspected: { card: '59', transfer: 'I05059' },
  limit_exceeded: { card: '61', transfer: 'I05061' },
  frequency_exceeded: { card: '65', transfer: 'I05065' },
  three_ds_failed: { card: '5206' },
  rejected_by_payer: { card: '17', transfer: 'I05043' },
  permission_revoked: { card: 'R1', transfer: 'I05071' },
  issuer_unavailable: { card: '91', transfer: 'I05091' },
  processing_error: { card: '96', transfer: 'I05096' },
  bank_unknown: { card: '15', transfer: 'I05015' },
  recipient_not_found: { transfer: 'I05014' },
  recipient_check_failed: { transfer: 'I05016' },
  recipient_bank_unavailable: { transfer: 'I05092' },
  balance_insufficient: {},
} as const satisfies Record<string, RawCodes>

export type FailureCode = keyof typeof FAILURE_CODES

export const FAILURE_CODE_NAMES = Object.keys(FAILURE_CODES) as [FailureCode, ...FailureCode[]]

/** Failures of the recipient's side or of the shop's balance. */
export const PAYOUT_ONLY_CODES: readonly FailureCode[] = [
  'recipient_not_found',
  'recipient_check_failed',
  'recipient_bank_unavailable',
  'balance_insufficient',
]

export const PAYMENT_FAILURE_CODES = FAILURE_CODE_NAMES.filter((code) => !PAYOUT_ONLY_CODES.includes(code))

/** The codes of failed payouts. A payout involves no card, so codes with only a card code are left out. */
export const PAYOUT_FAILURE_CODES = FAILURE_CODE_NAMES.filter(
  (code) => 'transfer' in FAILURE_CODES[code] || PAYOUT_ONLY_CODES.includes(code),
)

/** All codes, for messages about payments, refunds and payouts. */
export const FAILURE_CODE_LIST = FAILURE_CODE_NAMES.map((code) =>
  PAYOUT_ONLY_CODES.includes(code) ? `${code} (payouts only)` : code,
).join(', ')

export function isFailureCode(text: string): text is FailureCode {
  return Object.hasOwn(FAILURE_CODES, text)
}

/** The codes of expired payments, which no bank has declined. */
export const EXPIRY_CODES = ['session_timeout', 'link_expired'] as const
export type ExpiryCode = (typeof EXPIRY_CODES)[number]

/** Returns the raw code on this network, or else on the other one. `undefined` if no bank was involved. */
export function rawBankCode(code: FailureCode, network: BankNetwork): string | undefined {
  const raw: RawCodes = FAILURE_CODES[code]
  return network === 'card' ? (raw.card ?? raw.transfer) : (raw.transfer ?? raw.card)
}
