// JSON numbers that a double cannot hold: JSON.parse makes 1.00000000000000000001 a 1 without a word.

/** Only a number with so many digits can be changed by parsing; other bodies are spared the second look. */
const SUSPICIOUS = /\d[\d.]{15}/

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

/**
 * Fields of a JSON object whose number turned into an integer only by rounding.
 * @param text JSON that was parsed without an error
 */
export function roundedFields(text: string): ReadonlySet<string> {
  if (!SUSPICIOUS.test(text)) return NONE
  const exact: unknown = JSON.parse(text.replace(TOKENS, (token) => (token[0] === '"' ? token : `"\\u0000${token}"`)))
  if (typeof exact !== 'object' || exact === null) return NONE
  const rounded = new Set<string>()
  for (const [field, token] of Object.entries(exact)) {
    if (typeof token !== 'string' || token[0] !== '\u0000') continue
    const written = token.slice(1)
    if (Number.isInteger(Number(written)) && !isExactInteger(written)) rounded.add(field)
  }
  return rounded
}

const NONE: ReadonlySet<string> = new Set()

/** `1e2`, `100.0` and `0.1e1` are integers; `100.00000000000000001` is not. */
function isExactInteger(token: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? []
  const places = fraction.length - Number(exponent)
  if (places <= 0) return true
  return /^0*$/.test((whole + fraction).slice(-places))
}
