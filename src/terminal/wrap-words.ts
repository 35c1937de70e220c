import { stripVTControlCharacters } from 'node:util'

/**
 * Wraps prose between words into lines of at most `columns` columns. Longer words are kept whole. Escape sequences
 * count as zero columns, and each other character as one.
 */
export function wrapWords(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => (widthOf(line) <= columns ? [line] : breakLine(line, columns)))
}

function breakLine(text: string, columns: number): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1] ?? ''
    if (last === '') lines[lines.length - 1] = word
    else if (widthOf(last) + 1 + widthOf(word) <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function widthOf(text: string): number {
  return stripVTControlCharacters(text).length
}
