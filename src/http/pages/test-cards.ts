// The magic cards that the page offers. Their numbers are public and not in use.
import magic from '../../../fixtures/magic.json' with { type: 'json' }

/** `plan` is absent if the bank asks the buyer to confirm (3-D Secure). */
export const TEST_CARDS: readonly { readonly number: string; readonly plan: string | undefined }[] = Object.entries(
  magic.cards,
).map(([number, row]) => ({ number, plan: 'plan' in row ? row.plan : undefined }))

/** Returns `2200 0000 0001 0003`. */
export function grouped(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ')
}

/** Returns December of the third year after the sandbox's time. */
export function testExpiry(now: number): string {
  return `12/${String(new Date(now).getUTCFullYear() + 3).slice(-2)}`
}
