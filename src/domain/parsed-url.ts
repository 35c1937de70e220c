/**
 * Parses a URL, absolute or relative to the base. Returns `undefined` if the text is not a URL. Does not use `URL.canParse`,
 * because in Node 20 its compiled code rejects all texts with Latin-1 letters outside ASCII.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
