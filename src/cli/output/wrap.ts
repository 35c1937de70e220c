// Prose broken between words, so that a terminal does not break it within one.
import { stripVTControlCharacters } from 'node:util'

/** Lines of at most `room` columns, but for words that are longer; looks (escape sequences) take no room. */
export function wrap(text: string, room: number): string[] {
  return text.split('\n').flatMap((line) => (widthOf(line) <= room ? [line] : broken(line, room)))
}

function broken(text: string, room: number): string[] {
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
