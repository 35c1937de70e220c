// Spec 2.1, customer_* and bank_name: the simulated payer of a bank session.
import payers from '../../fixtures/payers.json' with { type: 'json' }
import { bankDirectory, findBank } from './bank.ts'
import { cardBrand, cardMask } from './card-masking.ts'
import type { Payment } from './payment.ts'
import { METHODS, type Method } from './payment-methods.ts'

export type PayerFields = Pick<
  Payment,
  | 'bank_name'
  | 'customer_card_brand'
  | 'customer_card_mask'
  | 'customer_card_holder'
  | 'customer_phone_mask'
  | 'customer_payer_bank'
>

/**
 * Returns the payer's fields for a method: phone and bank, or brand, mask and holder of a card.
 * @param draw in [0, 1). The same draw returns the same payer
 */
export function simulatedPayer(method: Method, draw: number): PayerFields {
  const pick = picker(draw)
  const row = METHODS[method]
  if (row.network === 'card') return card(pick)
  const bank = row.bank === 'picked' ? choose(bankDirectory('top30'), pick).name : bankName(row.bank)
  return {
    customer_phone_mask: `+7******${String(pick(10_000)).padStart(4, '0')}`,
    customer_payer_bank: bank,
    bank_name: bank,
  }
}

function card(pick: Picker): PayerFields {
  const issuer = choose(payers.issuers, pick)
  const number = `${issuer.bin}000000${String(pick(10_000)).padStart(4, '0')}`
  return {
    customer_card_brand: cardBrand(number),
    customer_card_mask: cardMask(number),
    customer_card_holder: choose(payers.holders, pick),
    bank_name: bankName(issuer.bank),
  }
}

function bankName(memberId: string): string {
  return findBank(memberId)?.name ?? memberId
}

/** Returns an integer in [0, size) that is independent of earlier picks. */
type Picker = (size: number) => number

/** Derives all picks from one draw, which has enough bits. */
function picker(draw: number): Picker {
  let rest = Math.floor(draw * 2 ** 40)
  return (size) => {
    const picked = rest % size
    rest = Math.floor(rest / size)
    return picked
  }
}

function choose<T>(list: readonly T[], pick: Picker): T {
  const chosen = list[pick(list.length)]
  if (chosen === undefined) throw new Error('A list of the simulated payer is empty.')
  return chosen
}
