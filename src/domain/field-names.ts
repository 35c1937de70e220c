// The names of fields, in one spelling, and which of them have amounts of money.

const AMOUNTS =
  /(^|[._])(amount(_\w+)?|total(_\w+)?|subtotal|balance|price|sum|fee|fees|rate|gross|net|refunded|captured|discount|surcharge|commission|(amount|total|fee|price|rate)s?\.(value|\w+_value))$/

/** Whether the text is an amount in a field for amounts. Its digits are then not treated as a card number. */
export function isAmountInField(path: readonly string[], text: string): boolean {
  return isAmountText(text) && isAmountField(path)
}

export function isAmountField(path: readonly string[]): boolean {
  return AMOUNTS.test(fieldName(path))
}

function isAmountText(text: string): boolean {
  return /^-?\d{1,16}(?:\.\d{1,8})?$/.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER
}

/** Returns the last two names of a path in snake case: `error.message`. A top-level name begins with a dot: `.id`. */
export function fieldName(path: readonly string[]): string {
  return path.length === 1 ? `.${snakeCase(path[0] ?? '')}` : path.slice(-2).map(snakeCase).join('.')
}

/** Converts `phoneNumber` and `Phone-Number` to `phone_number`, and `card[cvc]` to `card_cvc`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[-\s.[\]]+/g, '_')
    .replace(/_$/, '')
    .toLowerCase()
}
