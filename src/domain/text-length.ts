/** Characters of a text: code points, so an emoji counts once. */
export function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** A check of schemas, whose own limits count an emoji twice. */
export const atMost = (limit: number) => (text: string) => !isLongerThan(text, limit)

/** True if the text has more than `limit` characters. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && (text.length > limit * 2 || characterCount(text) > limit)
}
