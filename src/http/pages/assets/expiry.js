// The expiry date of a card, typed or filled in by a browser or password manager.

/** Complete dates. `card-form.ts` on the server reads the same formats. */
const MONTH_FIRST = /^(\d{1,2})\D+(20\d{2}|\d{2})$|^(\d{2})(20\d{2}|\d{2})$/
const YEAR_FIRST = /^(20\d{2})\D+(\d{1,2})(?:\D+\d{1,2})?$|^(20\d{2})(\d{2})$|^(\d{2})\D*(\d{2})$/

/** Beginnings of a date with the month first: `5/`, `12/3`, `12`, `052`. */
const BEGUN = /^\s*(\d{1,2})\s*[^\d\s]\D*(\d*[^\d\s]?)\s*$|^(\d{2})(\d*)$/
const YEAR_BEGUN = /^(?:\d{0,2}|20\d{0,2})$/

/**
 * Formats the text of the input as MM/YY. Text that cannot become a date is unchanged.
 * @param {string} value of the input
 * @param {string} [inputType] of the event, so that deleted characters are not added again
 */
export function expiryText(value, inputType) {
  if (inputType?.startsWith('delete') === true) return shortened(value)
  const date = dateOf(value)
  if (date !== undefined) return written(date.month, date.year)
  if (/^[2-9]$/.test(value)) return written(value, '')
  // A slash after 01/3 shows that the buyer meant 13 as the month, although there is no such month.
  if (inputType === 'insertText' && /^01\/[3-9]\D$/.test(value)) return `1${value[3]}/`
  // 13 is not a month, so 1 is the month and 3 the first digit of the year.
  if (/^1[3-9]$/.test(value)) return written('1', value[1])
  const [month, typed] = partsOf(BEGUN, value)
  if (!isMonth(month)) return value
  const year = inputType === 'insertText' ? withoutExtraKey(typed) : typed
  return YEAR_BEGUN.test(year) ? written(month, year) : value
}

/** Removes a character that was typed after a complete year. */
function withoutExtraKey(year) {
  return /^(?:20\d{3}|(?!20)\d{3}|(?:20)?\d{2}\D)$/.test(year) ? year.slice(0, -1) : year
}

/**
 * Whether the date has not passed. A card is valid through the last day of its month.
 * @param {string} value
 * @param {number} now the sandbox's time, ms
 */
export function isExpiry(value, now) {
  const date = dateOf(value)
  return date !== undefined && Date.UTC(2000 + (Number(date.year) % 100), Number(date.month), 1) > now
}

/** Returns the digits of month and year of a complete date. */
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

/** Removes the slash if only the month is left before it. */
function shortened(value) {
  return value.replace(/^(\d{1,2})\D+$/, '$1')
}
