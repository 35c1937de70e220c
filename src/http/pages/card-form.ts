// The card form. The number is looked at here and goes no further: what leaves is brand, mask, holder and a plan.
import { magicCard } from '../../domain/magic.ts'
import { cardBrand, cardDigits, cardMask, luhn } from '../../domain/masks.ts'
import type { Plan } from '../../domain/simulator-plan.ts'
import type { SandboxTime } from '../../domain/time.ts'
import type { PageCard } from '../../engine/page-payer.ts'

export const CARD_FIELDS = ['number', 'expiry', 'cvc', 'holder'] as const
export type CardField = (typeof CARD_FIELDS)[number]

/** What may be shown again beside the errors: never the number or the code, whatever field they were typed into. */
export interface CardErrors {
  readonly fields: readonly CardField[]
  readonly digits: number
  /** Nothing was typed as the number. */
  readonly no_number: boolean
  readonly expiry: string
  readonly holder: string
}

export interface TypedCard {
  readonly card: PageCard
  /** The bank asks the buyer first; what follows either answer. */
  readonly threeDs?: { readonly confirmed: Plan; readonly declined: Plan }
}

/** @param magic whether card numbers choose outcomes */
export function readCard(
  form: URLSearchParams,
  now: SandboxTime,
  magic: boolean,
): TypedCard | { readonly errors: CardErrors } {
  const number = cardDigits(form.get('number') ?? '')
  const expiry = (form.get('expiry') ?? '').trim().slice(0, 10)
  const cvc = (form.get('cvc') ?? '').trim()
  const holder = (form.get('holder') ?? '').trim()
  const brand = cardBrand(number)
  const digits = brand === 'American Express' ? 4 : 3
  const valid: { readonly [F in CardField]: boolean } = {
    number: luhn(number),
    expiry: isFuture(expiry, now),
    cvc: cvc.length === digits && /^\d+$/.test(cvc),
    holder: /^[\p{L}\p{M} .'’-]{0,64}$/u.test(holder),
  }
  const fields = CARD_FIELDS.filter((field) => !valid[field])
  if (fields.length > 0) {
    return {
      errors: {
        fields,
        digits,
        no_number: number === '',
        expiry: EXPIRY.test(expiry) ? expiry : '',
        holder: valid.holder ? holder : '',
      },
    }
  }
  const known = magic ? magicCard(number) : undefined
  return {
    card: {
      brand: brand ?? 'Card',
      mask: cardMask(number),
      ...(holder === '' ? {} : { holder: holder.toUpperCase() }),
      ...(known === undefined || known.threeDs !== undefined ? {} : { plan: known.plan }),
    },
    ...(known?.threeDs === undefined ? {} : { threeDs: known.threeDs }),
  }
}

const EXPIRY = /^(?<month>0[1-9]|1[0-2]|[1-9](?=\s*[/.-]))\s*[/.-]?\s*(?<year>\d{2}|20\d{2})$/

/** `09/30`, `0930`, `9/30`, `09/2030`: valid through the last day of that month. */
function isFuture(text: string, now: SandboxTime): boolean {
  const { month, year } = EXPIRY.exec(text)?.groups ?? {}
  if (month === undefined) return false
  const end = Date.UTC(2000 + (Number(year) % 100), Number(month), 1)
  return end > now
}
