// Counts the characters of a text, shortens and quotes it, and replaces those that control a page or a terminal.

/** Counts code points. `length` counts most emoji twice. */
export function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Returns a length check for schemas. The built-in one counts most emoji twice. */
export const atMost = (limit: number) => (text: string) => !isLongerThan(text, limit)

export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && (text.length > limit * 2 || characterCount(text) > limit)
}

/** Returns the first `length` UTF-16 units, without half of a surrogate pair at the end. */
export function beginningOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}

/** Shortens a longer text to at most `limit` UTF-16 units, of which the last is `…`. */
export function ellipsize(text: string, limit: number): string {
  return text.length <= limit ? text : `${beginningOf(text, limit - 1)}…`
}

/** Puts a text into quotes for a message, shortened to 80 characters. */
export function quoteText(text: string): string {
  return JSON.stringify(ellipsize(text, 80))
}

/** Puts a word into quotes for a POSIX shell if it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * C0 except tab and line feed, DEL, C1, overrides and isolates of the writing direction, tags, noncharacters, and
 * single surrogates. They are errors in HTML and XML, hide or reorder text, or control the terminal that prints the
 * file.
 */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\p{Noncharacter_Code_Point}\p{Surrogate}]/gu

/** Replaces each control character by U+FFFD, so that its position stays visible. CR and CR LF become LF. */
export function replaceControls(document: string): string {
  return document.replace(/\r\n?/g, '\n').replace(CONTROLS, '\ufffd')
}
