// The date on a card while it is typed: `1/30`, `5/2030`, `0530` and a pasted `05 / 2030` all mean a month and a year.

/**
 * @param {string} value of the input
 * @param {string} [inputType] of the event: what somebody takes away is not put back
 */
export function expiryText(value, inputType) {
  const deleting = inputType?.startsWith('delete') === true
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
  const [, spaced, close, year] =
    /^(?:(0?[1-9]|1[0-2])\s*[/.-]\s*|(0[1-9]|1[0-2])\s*)(\d{2}|20\d{2})$/.exec(value.trim()) ?? []
  return year !== undefined && Date.UTC(2000 + (Number(year) % 100), Number(spaced ?? close), 1) > now
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
