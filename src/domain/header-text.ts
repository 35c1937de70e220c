// Header values are bytes, which HTTP libraries show as one character per byte. Text outside of ASCII is sent as UTF-8.

const NOT_ASCII = /[^\0-\x7f]/

/** Encodes text as a header value with one character per UTF-8 byte. */
export function encodeHeaderText(text: string): string {
  if (!NOT_ASCII.test(text)) return text
  let value = ''
  for (const byte of new TextEncoder().encode(text)) value += String.fromCharCode(byte)
  return value
}

/** Decodes a header value. A value that is not UTF-8 is returned unchanged. */
export function decodeHeaderText(value: string): string {
  if (!NOT_ASCII.test(value)) return value
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return value
  }
}

/** Whether the value has only visible ASCII, spaces, tabs and the upper half of Latin-1 (RFC 9110 section 5.5). */
export function isHeaderValue(value: string): boolean {
  return !/[^\t\x20-\x7e\x80-\xff]/.test(value)
}
