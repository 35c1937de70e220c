/**
 * The URL, absolute or against the base, or `undefined` where the text is none. `URL.canParse` of Node 20 is not for this: once it is compiled, it
 * refuses every text with a letter of Latin-1 beyond ASCII.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
