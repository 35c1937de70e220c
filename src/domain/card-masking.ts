// Spec 2.1: masks card numbers and detects their brand.

/** Returns the first 6 and the last 4 digits, with stars between: `220000******0003`. Shorter numbers become stars only. */
export function cardMask(number: string): string {
  const digits = cardDigits(number)
  if (digits.length < 12) return '*'.repeat(digits.length)
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`
}

/** Inclusive ranges of leading digits. The first row that matches applies. */
const BRANDS = [
  { brand: 'MIR', from: '2200', to: '2204' },
  { brand: 'Mastercard', from: '51', to: '55' },
  { brand: 'Mastercard', from: '2221', to: '2720' },
  { brand: 'Visa', from: '4', to: '4' },
  { brand: 'American Express', from: '34', to: '34' },
  { brand: 'American Express', from: '37', to: '37' },
  { brand: 'JCB', from: '3528', to: '3589' },
  { brand: 'Diners Club', from: '300', to: '305' },
  { brand: 'Diners Club', from: '36', to: '36' },
  { brand: 'Diners Club', from: '38', to: '39' },
  { brand: 'Discover', from: '6011', to: '6011' },
  { brand: 'Discover', from: '644', to: '659' },
  { brand: 'UnionPay', from: '62', to: '62' },
  { brand: 'Maestro', from: '50', to: '50' },
  { brand: 'Maestro', from: '56', to: '58' },
  { brand: 'Maestro', from: '63', to: '63' },
  { brand: 'Maestro', from: '67', to: '67' },
] as const

export type CardBrand = (typeof BRANDS)[number]['brand']

/** Returns the payment system of the leading digits, or `undefined` if no range matches. */
export function cardBrand(number: string): CardBrand | undefined {
  const digits = cardDigits(number)
  return BRANDS.find(({ from, to }) => {
    const head = digits.slice(0, from.length)
    return head.length === from.length && head >= from && head <= to
  })?.brand
}

/** Whether the text has 12 to 19 digits, apart from spaces and hyphens, and a valid check digit. */
export function luhn(number: string): boolean {
  const digits = cardDigits(number)
  if (!/^\d{12,19}$/.test(digits)) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = digit * 2
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Spaces, dashes and points between the digits of a card number. */
const GAP = String.raw`[ \u00a0\u2007\u2009\u202f.\u2010-\u2015\u2212_-]{0,3}`

/** In this order: UUID, hash, card number. The digits of UUIDs and hashes are no card numbers. */
const UUID_HASH_OR_CARD = new RegExp(
  String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b|\b(?=\d*[a-f])[\da-f]{32,}\b|(?<card>(?<![\d.])\d(?:${GAP}\d){12,18}(?!\d))`,
  'giu',
)

/** A text without this contains no card number. */
const MANY_DIGITS = /\d(?:[^\d\n]{0,3}\d){12}/

/** Replaces the card numbers in a text. A number of 13 to 15 digits is often a time or an order, so its brand must be known. */
export function replaceCards(text: string, replace: (number: string) => string): string {
  if (!MANY_DIGITS.test(text)) return text
  return text.replace(UUID_HASH_OR_CARD, (found: string, card: string | undefined) =>
    card !== undefined && isCard(card) ? replace(card.replace(/\D/g, '')) : found,
  )
}

/** Returns whether {@link replaceCards} would find a card number. */
export function containsCard(text: string): boolean {
  let found = false
  replaceCards(text, (number) => {
    found = true
    return number
  })
  return found
}

function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  if (!luhn(digits)) return false
  // Dates and versions have dashes and points too, but not in groups of four.
  const isPlain = /^[\d \u00a0]+$/.test(text) || /^\d{4}(\D{1,3})\d{4}\1\d{4}\1\d{1,7}$/.test(text)
  return isPlain && digits.length >= 16 ? true : cardBrand(digits) !== undefined
}

/** Removes the spaces and hyphens of a typed card number. */
export function cardDigits(number: string): string {
  return number.replace(/[\s-]/g, '')
}
