// Makes text from merchants and receivers safe for a terminal.
import { UNSAFE_CHARACTERS } from '../domain/visible-text.ts'

export { sanitizeLine, sanitizeText } from '../domain/visible-text.ts'

/** Serializes a value as JSON with every unsafe character escaped. `JSON.stringify` escapes only those below U+0020. */
export function stringifyForTerminal(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return text.replace(UNSAFE_CHARACTERS, (mark) => mark.split('').map(escapeUnit).join(''))
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Limits the text to `length` characters. If text is removed, the last character is an ellipsis. */
export function truncateChars(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}
