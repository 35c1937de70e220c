// Which text has which colour. A text that is there in two colours says something by its colour alone.

const COLOURS: Readonly<Record<string, string>> = { 31: 'red', 32: 'green', 33: 'yellow' }

export interface Colours {
  readonly byText: ReadonlyMap<string, ReadonlySet<string>>
  /** Texts of more than one colour, and colour on nothing that can be read. */
  readonly ambiguous: readonly string[]
}

/** Of the colours that judge: red, green and yellow. */
export function coloursOf(text: string): Colours {
  const byText = new Map<string, Set<string>>()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  for (const [, code = '', inner = ''] of text.matchAll(/\u001b\[(3[123])m([^\u001b]*)/g)) {
    const colours = byText.get(inner.trim()) ?? new Set()
    byText.set(inner.trim(), colours.add(COLOURS[code] ?? code))
  }
  const ambiguous = [...byText].filter(([inner, colours]) => colours.size > 1 || inner === '').map(([inner]) => inner)
  return { byText, ambiguous }
}
