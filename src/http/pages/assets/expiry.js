// The date on a card: while it is typed, and as browsers and password managers fill it in at once.

/** Complete dates. `card-form.ts` on the server reads the same forms. */
const MONTH_FIRST = /^(\d{1,2})\D+(20\d{2}|\d{2})$|^(\d{2})(20\d{2}|\d{2})$/
const YEAR_FIRST = /^(20\d{2})\D+(\d{1,2})(?:\D+\d{1,2})?$|^(20\d{2})(\d{2})$|^(\d{2})\D*(\d{2})$/

/**
 * @param {string} value of the input
 * @param {string} [inputType] of the event: what somebody takes away is not put back
 */
export function expiryText(value, inputType) {
  const deleting = inputType?.startsWith('delete') === true
  const date = deleting ? undefined : dateOf(value)
  if (date !== undefined) return written(padded(date.month), date.year)
  const [, month, rest] = /^\D*(\d{1,2})\s*[^\d\s]\s*(.*)$/.exec(value) ?? []
  if (month !== undefined) return deleting ? shortened(value) : written(padded(month), digitsOf(rest))
  const digits = digitsOf(value)
  if (deleting || digits.length < 2) return digits > '1' && !deleting ? written(padded(digits), '') : digits
  // 13 is no month: the 1 was one, and the year has begun.
  const length = digits.slice(0, 2) > '12' ? 1 : 2
  return written(padded(digits.slice(0, length)), digits.slice(length))
}

/**
 * A month and a year that have not passed: a card is valid through the last day of its month.
 * @param {string} value
 * @param {number} now the sandbox's clock, ms
 */
export function isExpiry(value, now) {
  const date = dateOf(value)
  return date !== undefined && Date.UTC(2000 + (Number(date.year) % 100), Number(date.month), 1) > now
}

/** Month and year of a complete date, in digits. */
function dateOf(value) {
  const text = value.trim()
  const [month, year] = partsOf(MONTH_FIRST, text)
  if (isMonth(month)) return { month, year }
  const [first, second] = partsOf(YEAR_FIRST, text)
  return isMonth(second) ? { month: second, year: first } : undefined
}

function partsOf(pattern, text) {
  return (pattern.exec(text) ?? []).slice(1).filter((part) => part !== undefined)
}

function isMonth(digits) {
  return digits !== undefined && Number(digits) >= 1 && Number(digits) <= 12
}

function padded(month) {
  return month.padStart(2, '0')
}

function written(month, year) {
  return `${month}/${year.slice(0, year.startsWith('20') ? 4 : 2)}`
}

/** Behind the month nothing is left but the stroke: it goes too. */
function shortened(value) {
  return value.replace(/^(\d{1,2})\D+$/, '$1')
}

function digitsOf(text) {
  return text.replace(/\D/g, '')
}
