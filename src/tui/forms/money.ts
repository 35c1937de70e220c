// Money as people type it, in major units.
import { minorUnits } from '../../domain/currency.ts'

/** `1 500.50` in RUB to 150050; `undefined` for anything that is no amount of this currency. */
export function parseMoney(text: string, currency: string): number | undefined {
  const digits = minorUnits(currency)
  const [, whole = '', part = ''] = /^(\d+)(?:[.,](\d+))?$/.exec(text.replace(/[\s_]/g, '')) ?? []
  if (digits === undefined || whole === '' || part.length > digits) return undefined
  const amount = Number(whole + part.padEnd(digits, '0'))
  return Number.isSafeInteger(amount) && amount > 0 ? amount : undefined
}

/** The other way, without the currency: 150050 in RUB to `1500.50`. */
export function formatAmount(amount: number, currency: string): string {
  const digits = minorUnits(currency) ?? 2
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
