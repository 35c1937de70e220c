// Text of merchants and receivers may hold escape sequences; a terminal must never get them.

// What a terminal takes as one sequence (ECMA-48), and no more: strings up to their terminator, CSI up to its final byte, the
// rest. `stripVTControlCharacters` would take ordinary text up to the next bell along.
const ESCAPE_SEQUENCES = new RegExp(
  [
    String.raw`(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`(?:\u001b[PX^_]|[\u0090\u0098\u009e\u009f])[^\u001b\u009c]*(?:\u001b\\|\u009c)`,
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`\u001b[ -/]*[0-~]`,
  ].join('|'),
  'g',
)

// C0 without tab and line feed, DEL, C1, what turns the writing direction, what nobody sees (tags, zero-width spaces), and
// what is no character. The joiners stay: letters of some scripts and emoji are made with them.
const UNSAFE_CHARACTERS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Noncharacter_Code_Point}]/gu

// Half a character cannot be written as UTF-8, and each program measures it in its own way.
const LONE_SURROGATE = /\p{Surrogate}/gu

/** A block of text: line feeds and tabs stay; halves of characters become U+FFFD. */
export function sanitizeText(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(ESCAPE_SEQUENCES, '')
    .replace(UNSAFE_CHARACTERS, '')
    .replace(LONE_SURROGATE, '\uFFFD')
}

/** One line of text: line feeds and tabs become spaces. */
export function sanitizeLine(text: string): string {
  return sanitizeText(text).replace(/\s+/g, ' ').trim()
}

/** JSON in which no control character is left bare: JSON itself escapes only the first 32. */
export function stringifyForTerminal(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return text.replace(UNSAFE_CHARACTERS, (mark) => mark.split('').map(escapeUnit).join(''))
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** At most `length` characters, the last of them an ellipsis where something was cut. */
export function truncateChars(text: string, length: number): string {
  const letters = [...text]
  return letters.length <= length ? text : `${letters.slice(0, length - 1).join('')}…`
}
