// Wraps prose between words.
import { stripVTControlCharacters } from 'node:util'

/** Returns lines of at most `room` columns. Longer words are kept whole. Escape sequences have no width. */
export function wrapWords(text: string, room: number): string[] {
  return text.split('\n').flatMap((line) => (widthOf(line) <= room ? [line] : breakLine(line, room)))
}

function breakLine(text: string, room: number): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1] ?? ''
    if (last === '') lines[lines.length - 1] = word
    else if (widthOf(last) + 1 + widthOf(word) <= room) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function widthOf(text: string): number {
  return stripVTControlCharacters(text).length
}
