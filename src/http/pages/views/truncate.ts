/** Shortens a text to `length` characters, the last of which is then an ellipsis. Never splits a character. */
export function truncate(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length * 2 + 2))
  if (characters.length <= length) return characters.join('')
  return `${characters.slice(0, length - 1).join('')}…`
}
