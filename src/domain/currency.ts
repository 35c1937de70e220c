// Spec 1 and 4.1: currencies of ISO 4217, and amounts in minor units.
import iso4217 from '../../fixtures/iso4217.json' with { type: 'json' }
import { groupDigits } from './count-text.ts'

/** Fraction digits by code. `null` for codes without a minor unit in ISO 4217, such as metals, XDR, XTS and XXX. */
const MINOR_UNITS: ReadonlyMap<string, number | null> = new Map(Object.entries(iso4217))

/**
 * Returns the fraction digits of an active currency or fund code in upper case: 2 for RUB, 0 for JPY. Returns
 * `undefined` for other strings and for codes without a minor unit, such as XAU, which cannot be used for payments.
 */
export function minorUnits(code: string): number | undefined {
  return MINOR_UNITS.get(code) ?? undefined
}

export const CURRENCY_CODES: readonly string[] = [...MINOR_UNITS].flatMap(([code, digits]) =>
  digits === null ? [] : [code],
)

/** Whether the value is a code that can be used for amounts. */
export function isCurrencyCode(code: unknown): boolean {
  return typeof code === 'string' && minorUnits(code) !== undefined
}

/** Formats minor units: `formatMoney(150000, 'RUB')` is `1 500.00 RUB`. Unknown codes get two fraction digits. */
export function formatMoney(amount: number, currency: string): string {
  const fraction = minorUnits(currency) ?? 2
  const digits = String(Math.abs(amount)).padStart(fraction + 1, '0')
  const whole = groupDigits(digits.slice(0, digits.length - fraction), ' ')
  const part = fraction === 0 ? '' : `.${digits.slice(-fraction)}`
  return `${amount < 0 ? '-' : ''}${whole}${part} ${currency}`
}

/**
 * Converts kopeks to USDT with two decimal places, rounded half up. `rate` is roubles per USDT. Returns 0 for other
 * currencies. Kopeks divided by the rate are hundredths of USDT, so the arithmetic uses integers.
 */
export function amountUsdt(amount: number, currency: string, rate: number): number {
  if (currency !== 'RUB' || !(rate > 0) || rate === Number.POSITIVE_INFINITY) return 0
  if (!Number.isSafeInteger(rate)) return exactHundredths(amount, rate) / 100
  const rest = amount % rate
  return ((amount - rest) / rate + (2 * rest >= rate ? 1 : 0)) / 100
}

/** Uses the rate as a decimal fraction: 92.37 is 9237 / 100, not the nearest double. */
function exactHundredths(amount: number, rate: number): number {
  const [mantissa = '', exponent = '0'] = rate.toString().split('e')
  const [whole = '', decimals = ''] = mantissa.split('.')
  const scale = decimals.length - Number(exponent)
  const divisor = BigInt(whole + decimals) * 10n ** BigInt(Math.max(0, -scale))
  const dividend = BigInt(amount) * 10n ** BigInt(Math.max(0, scale))
  return Number((2n * dividend + divisor) / (2n * divisor))
}
