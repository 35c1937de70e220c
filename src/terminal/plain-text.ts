// Text of merchants and receivers may hold escape sequences; a terminal must never get them.
import { stripVTControlCharacters } from 'node:util'

// C0 without tab and line feed, DEL, C1, and the marks that turn the writing direction.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

// Half a character cannot be written as UTF-8, and each program measures it in its own way.
const LONE_SURROGATE = /\p{Surrogate}/gu

/** A block of text: line feeds and tabs stay; halves of characters become U+FFFD. */
export function plainBlock(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n/g, '\n')).replace(CONTROLS, '').replace(LONE_SURROGATE, '\uFFFD')
}

/** One line of text: line feeds and tabs become spaces. */
export function plainLine(text: string): string {
  return plainBlock(text).replace(/\s+/g, ' ').trim()
}

/** JSON in which no control character is left bare: JSON itself escapes only the first 32. */
export function plainJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return text.replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** At most `length` characters, the last of them an ellipsis where something was cut. */
export function shorten(text: string, length: number): string {
  const letters = [...text]
  return letters.length <= length ? text : `${letters.slice(0, length - 1).join('')}…`
}
