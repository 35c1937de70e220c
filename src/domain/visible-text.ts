// Removes escape sequences and invisible characters from text of merchants and receivers before it is shown.

// One escape sequence of ECMA-48: a string up to its terminator, a CSI up to its final byte, or a short sequence.
// Node's `stripVTControlCharacters` would also remove ordinary text up to the next bell.
const ESCAPE_SEQUENCES = new RegExp(
  [
    String.raw`(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`(?:\u001b[PX^_]|[\u0090\u0098\u009e\u009f])[^\u001b\u009c]*(?:\u001b\\|\u009c)`,
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`\u001b[ -/]*[0-~]`,
  ].join('|'),
  'g',
)

// C0 except tab and line feed, DEL, C1, direction overrides, invisible characters (tags, zero-width spaces),
// noncharacters. Zero-width joiners are allowed, because emoji and some scripts need them.
export const UNSAFE_CHARACTERS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Noncharacter_Code_Point}]/gu

// A lone surrogate has no UTF-8 form, and programs disagree about its width.
const LONE_SURROGATE = /\p{Surrogate}/gu

/** Sanitizes text of several lines. Line feeds and tabs stay, lone surrogates become U+FFFD. */
export function sanitizeText(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(ESCAPE_SEQUENCES, '')
    .replace(UNSAFE_CHARACTERS, '')
    .replace(LONE_SURROGATE, '\uFFFD')
}

/** Sanitizes text for one line. Line feeds and tabs become spaces. */
export function sanitizeLine(text: string): string {
  return sanitizeText(text).replace(/\s+/g, ' ').trim()
}
