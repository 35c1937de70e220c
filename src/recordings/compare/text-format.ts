// The format of a string, on which clients may rely: a time, an id, digits.

const FORMATS: readonly (readonly [format: string | ((match: RegExpExecArray) => string), pattern: RegExp])[] = [
  ['empty', /^$/],
  [
    ([, fraction = '', zone = '']) =>
      `a time with ${fraction.length} fraction digits${zone === 'Z' ? '' : ' and an offset'}`,
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/,
  ],
  ['a date', /^\d{4}-\d\d-\d\d$/],
  ['a UUID', /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/],
  ['a UUID in upper case', /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i],
  ['a URL', /^https?:\/\//],
  [([digits]) => `${digits.length} digits`, /^\d{1,40}$/],
  [([, prefix]) => `an id ${prefix}…`, /^(evt_)[\da-z]+$/i],
]

/** Returns `a UUID`, `a time with 3 fraction digits`, or `text`. */
export function textFormat(text: string): string {
  for (const [format, pattern] of FORMATS) {
    const match = pattern.exec(text)
    if (match !== null) return typeof format === 'string' ? format : format(match)
  }
  return 'text'
}

/** Returns the number of fraction digits of a time, or `undefined` for any other string. */
export function fractionDigits(text: unknown): number | undefined {
  const digits = typeof text === 'string' ? /^a time with (\d+)/.exec(textFormat(text))?.[1] : undefined
  return digits === undefined ? undefined : Number(digits)
}

export const isUuid = (text: string): boolean => textFormat(text).startsWith('a UUID')
