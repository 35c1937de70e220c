// The magic cards, for picking. Their numbers are public and belong to nobody.
import magic from '../../../fixtures/magic.json' with { type: 'json' }

/** `plan` is absent where the bank asks the buyer first (3-D Secure). */
export const TEST_CARDS: readonly { readonly number: string; readonly plan: string | undefined }[] = Object.entries(
  magic.cards,
).map(([number, row]) => ({ number, plan: 'plan' in row ? row.plan : undefined }))

/** `2200 0000 0001 0003`. */
export function grouped(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ')
}

/** A date that has not passed by the sandbox's clock: December, three years on. */
export function testExpiry(now: number): string {
  return `12/${String(new Date(now).getUTCFullYear() + 3).slice(-2)}`
}
