/** The text, or its first `length` characters where it is longer, cut between characters. */
export function truncate(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length * 2 + 2))
  if (characters.length <= length) return characters.join('')
  return `${characters.slice(0, length - 1).join('')}…`
}
