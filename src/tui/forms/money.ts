// Parses and formats amounts as users type them, in major units.
import { minorUnits } from '../../domain/currency.ts'

/** Parses `1 500.50` in RUB to 150050. Returns `undefined` for text that is not an amount of this currency. */
export function parseMoney(text: string, currency: string): number | undefined {
  const digits = minorUnits(currency)
  const [, major = '', minor = ''] = /^(\d+)(?:[.,](\d+))?$/.exec(text.replace(/[\s_]/g, '')) ?? []
  if (digits === undefined || major === '' || minor.length > digits) return undefined
  const amount = Number(major + minor.padEnd(digits, '0'))
  return Number.isSafeInteger(amount) && amount > 0 ? amount : undefined
}

/** Formats 150050 in RUB as `1500.50`, without the currency. */
export function formatAmount(amount: number, currency: string): string {
  const digits = minorUnits(currency) ?? 2
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
