// The date on a card: while it is typed, and as browsers and password managers fill it in at once.

/** Complete dates. `card-form.ts` on the server reads the same forms. */
const MONTH_FIRST = /^(\d{1,2})\D+(20\d{2}|\d{2})$|^(\d{2})(20\d{2}|\d{2})$/
const YEAR_FIRST = /^(20\d{2})\D+(\d{1,2})(?:\D+\d{1,2})?$|^(20\d{2})(\d{2})$|^(\d{2})\D*(\d{2})$/

/** Beginnings of a date with the month first: `5/`, `12/3`, `12`, `052`. */
const BEGUN = /^\s*(\d{1,2})\s*[^\d\s]\D*(\d*[^\d\s]?)\s*$|^(\d{2})(\d*)$/
const YEAR_BEGUN = /^(?:\d{0,2}|20\d{0,2})$/

/**
 * The text of the input in the form MM/YY. A text that is no date and no beginning of one stays as it was typed.
 * @param {string} value of the input
 * @param {string} [inputType] of the event: what somebody takes away is not put back
 */
export function expiryText(value, inputType) {
  if (inputType?.startsWith('delete') === true) return shortened(value)
  const date = dateOf(value)
  if (date !== undefined) return written(date.month, date.year)
  if (/^[2-9]$/.test(value)) return written(value, '')
  // 13 is no month: the 1 was one, and the year has begun.
  if (/^1[3-9]$/.test(value)) return written('1', value[1])
  const [month, typed] = partsOf(BEGUN, value)
  if (!isMonth(month)) return value
  const year = inputType === 'insertText' ? withoutExtraKey(typed) : typed
  return YEAR_BEGUN.test(year) ? written(month, year) : value
}

/** A key typed after a complete year is dropped. */
function withoutExtraKey(year) {
  return /^(?:20\d{3}|(?!20)\d{3}|(?:20)?\d{2}\D)$/.test(year) ? year.slice(0, -1) : year
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

function written(month, year) {
  return `${month.padStart(2, '0')}/${year}`
}

/** Behind the month nothing is left but the stroke: it goes too. */
function shortened(value) {
  return value.replace(/^(\d{1,2})\D+$/, '$1')
}
