/** Counts the characters of a text as code points, so an emoji counts once. */
export function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Returns a length check for schemas, because the built-in one counts an emoji twice. */
export const atMost = (limit: number) => (text: string) => !isLongerThan(text, limit)

/** Whether the text has more than `limit` characters. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && (text.length > limit * 2 || characterCount(text) > limit)
}
