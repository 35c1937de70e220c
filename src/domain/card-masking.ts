// Spec 2.1: masks card numbers, detects their brand, and finds them in any text.

/** Returns the first 6 and the last 4 digits: `220000******0003`. Fewer than 12 digits become stars only. */
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

export function cardBrand(number: string): CardBrand | undefined {
  const digits = cardDigits(number)
  return BRANDS.find(({ from, to }) => {
    const head = digits.slice(0, from.length)
    return head.length === from.length && head >= from && head <= to
  })?.brand
}

/** Whether the text has 12 to 19 digits, apart from spaces and hyphens, and a valid check digit. */
export function isCardNumber(number: string): boolean {
  const digits = cardDigits(number)
  return /^\d{12,19}$/.test(digits) && hasCheckDigit(digits)
}

/** @param digits only ASCII digits */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const doubled = digit * 2
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** ASCII, Arabic, Persian and fullwidth digits. The low four bits of each code are the value of the digit. */
const DIGIT = String.raw`\d\u0660-\u0669\u06f0-\u06f9\uff10-\uff19`

/** Spaces and characters without a width. */
const SPACE = String.raw`\t \u00a0\u00ad\u2000-\u200d\u202f\u2060\u3000\ufeff`
const DASH = String.raw`\u2010-\u2015\u2212\uff0d\-`

/** In this order: UUID, hash, digits. The digits of UUIDs and hashes are not card numbers. */
const UUID_HASH_OR_DIGITS = new RegExp(
  String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b|\b(?=\d*[a-f])[\da-f]{32,}\b|(?<digits>[${DIGIT}]+)`,
  'giu',
)

/** Separates the groups of digits of a card number. */
const GAP = new RegExp(`^[${SPACE}${DASH}._/+,\r\n]{1,3}$`)
/** Encoded characters of a gap: in URLs (also in a URL within a URL), in HTML and in JSON. */
const ENCODED_GAP =
  /%(?:25){0,3}(?:20|0[9ad]|2[bcdf]|c2%(?:25){0,3}a[0d]|e2%(?:25){0,3}80%(?:25){0,3}[89a][\da-f])|&(?:nbsp|shy|#160|#x0*a0|#32|#45);|\\u(?:00a[0d]|20[0-2]\w)|\\[nrt]/gi
/** Maximum characters between two groups: three encoded gaps. */
const MAX_GAP = 45
const SPACES = new RegExp(`[${SPACE}]`, 'g')
const DASHES = new RegExp(`[${DASH}]`, 'g')

/** A text without this contains no card number. */
const MANY_DIGITS = new RegExp(`[${DIGIT}](?:[^${DIGIT}]{0,${MAX_GAP}}[${DIGIT}]){12}`)

/** Pads the replacement of an encoded gap to the same length. Real text does not contain this noncharacter. */
const FILLER = '\uffff'

const MIN_DIGITS = 13
const MAX_DIGITS = 19

/**
 * Replaces the card numbers in a text, also next to other numbers: every sequence of whole groups of digits can be a
 * card number. A number of 13 to 15 digits is often a time or an order number, so its brand must be known.
 */
export function replaceCards(text: string, replace: (number: string) => string): string {
  // An encoded gap can contain digits.
  const plain = /[%&\\]/.test(text) ? text.replace(ENCODED_GAP, (gap) => ' '.padEnd(gap.length, FILLER)) : text
  if (!MANY_DIGITS.test(plain)) return text
  let result = ''
  let end = 0
  for (const run of digitRuns(plain)) {
    for (const { first, last } of findCards(run)) {
      const groups = run.slice(first, last + 1)
      const [from, to] = [groups[0]?.from ?? end, groups.at(-1)?.to ?? end]
      result += text.slice(end, from) + replace(groups.map(({ digits }) => digits).join(''))
      end = to
    }
  }
  return result + text.slice(end)
}

/** Returns the digits of the first card number that {@link replaceCards} would find. */
export function findCard(text: string): string | undefined {
  let found: string | undefined
  replaceCards(text, (number) => {
    found ??= number
    return number
  })
  return found
}

export function containsCard(text: string): boolean {
  return findCard(text) !== undefined
}

interface DigitGroup {
  readonly from: number
  readonly to: number
  /** As ASCII digits. Empty if the group is longer than a card number. */
  readonly digits: string
  /** The text before this group, without spaces and with `-` for each dash. If nothing is left, a space. */
  readonly gap: string
}

/** Yields runs of digit groups that have only gaps between them. */
function* digitRuns(text: string): Generator<readonly DigitGroup[]> {
  let run: DigitGroup[] = []
  for (const { index: from, 0: found, groups } of text.matchAll(UUID_HASH_OR_DIGITS)) {
    const before = run.at(-1)
    const gap =
      before !== undefined && from - before.to <= MAX_GAP ? text.slice(before.to, from).replaceAll(FILLER, '') : ''
    const isNumber = groups?.['digits'] !== undefined
    if (before !== undefined && !(isNumber && GAP.test(gap))) {
      yield run
      run = []
    }
    if (!isNumber) continue
    const digits = found.length > MAX_DIGITS ? '' : found.replace(/\D/g, (digit) => String(digit.charCodeAt(0) & 15))
    run.push({ from, to: from + found.length, digits, gap: gap.replace(SPACES, '').replace(DASHES, '-') || ' ' })
  }
  if (run.length > 0) yield run
}

interface Span {
  readonly first: number
  readonly last: number
}

/** Returns the spans of groups to replace. Spans that overlap are joined, because each could be the card number. */
function findCards(run: readonly DigitGroup[]): Span[] {
  const spans: Span[] = []
  const isAlone = run.map((_, at) => isCardGroup(run, at))
  for (const first of run.keys()) {
    const last = isAlone[first] ? first : lastGroupOfCard(run, first, isAlone)
    if (last === undefined) continue
    const before = spans.at(-1)
    if (before === undefined || before.last < first) spans.push({ first, last })
    else if (before.last < last) spans[spans.length - 1] = { first: before.first, last }
  }
  return spans
}

/** Returns the last group of the longest card number that begins at `first` and contains no group that is one alone. */
function lastGroupOfCard(run: readonly DigitGroup[], first: number, isAlone: readonly boolean[]): number | undefined {
  let found: number | undefined
  let digits = ''
  for (let last = first; last < run.length; last++) {
    const group = run[last] as DigitGroup
    digits += group.digits
    if (group.digits === '' || digits.length > MAX_DIGITS || isAlone[last]) break
    if (last === first || digits.length < MIN_DIGITS || !hasCheckDigit(digits)) continue
    if (isGroupedCard(digits, run.slice(first, last + 1), run.length)) found = last
  }
  return found
}

function isCardGroup(run: readonly DigitGroup[], at: number): boolean {
  const { digits, gap } = run[at] as DigitGroup
  if (digits.length < MIN_DIGITS || !hasCheckDigit(digits)) return false
  const isFraction = at > 0 && gap === '.' && run[at + 1]?.gap !== '.'
  return !isFraction && (digits.length >= 16 || cardBrand(digits) !== undefined)
}

function isGroupedCard(digits: string, groups: readonly DigitGroup[], runLength: number): boolean {
  const gap = groups[1]?.gap
  const isWhole = groups.length === runLength
  const isUniform = groups.slice(1).every((group) => group.gap === gap)
  const areGroupsOfFour = groups.slice(0, -1).every((group) => group.digits.length === 4)
  // Lists of numbers have these gaps too.
  if (groups.slice(1).some((group) => /[+,\r\n]/.test(group.gap))) {
    return areCardGroups(groups) && cardBrand(digits) !== undefined
  }
  // Dates and versions have dashes and points too, but not in groups of four.
  if (isWhole && isUniform && (areGroupsOfFour || gap === ' ') && digits.length >= 16) return true
  // A date next to a time has several kinds of gaps.
  return (isWhole || isUniform || areGroupsOfFour) && cardBrand(digits) !== undefined
}

/** Whether the groups are as long as those printed on cards, or as several printed groups joined. */
function areCardGroups(groups: readonly DigitGroup[]): boolean {
  const lengths = groups.map(({ digits }) => digits.length)
  return lengths.slice(0, -1).every((length) => length % 4 === 0) || /^4,6,[45]$/.test(lengths.join())
}

/** Removes the spaces and hyphens of a typed card number. */
export function cardDigits(number: string): string {
  return number.replace(/[\s-]/g, '')
}
