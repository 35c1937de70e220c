// Finds the colours of texts. A text in two colours carries meaning by colour alone, which some users cannot see.

const COLOURS: Readonly<Record<string, string>> = { 31: 'red', 32: 'green', 33: 'yellow' }

export interface Colours {
  readonly byText: ReadonlyMap<string, ReadonlySet<string>>
  /** Texts in more than one colour, and coloured blanks. */
  readonly ambiguous: readonly string[]
}

/** Returns the texts in the colours that express a judgement: red, green and yellow. */
export function coloursOf(text: string): Colours {
  const byText = new Map<string, Set<string>>()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the function looks for them
  for (const [, code = '', inner = ''] of text.matchAll(/\u001b\[(3[123])m([^\u001b]*)/g)) {
    const colours = byText.get(inner.trim()) ?? new Set()
    byText.set(inner.trim(), colours.add(COLOURS[code] ?? code))
  }
  const ambiguous = [...byText].filter(([inner, colours]) => colours.size > 1 || inner === '').map(([inner]) => inner)
  return { byText, ambiguous }
}
