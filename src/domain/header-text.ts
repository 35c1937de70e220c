// Header values are bytes, which HTTP libraries show as one character per byte. Text outside of ASCII is sent as UTF-8.

const NOT_ASCII = /[^\0-\x7f]/

/** Text as a header value: one character per byte of its UTF-8. */
export function headerValue(text: string): string {
  if (!NOT_ASCII.test(text)) return text
  let value = ''
  for (const byte of new TextEncoder().encode(text)) value += String.fromCharCode(byte)
  return value
}

/** The text of a header value. A value that is not UTF-8 is kept as it is. */
export function headerText(value: string): string {
  if (!NOT_ASCII.test(value)) return value
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return value
  }
}
