// Control characters in text from outside, such as a merchant's description or a receiver's response.

/**
 * C0 except tab and line feed, DEL, C1, overrides and isolates of the writing direction, tags, noncharacters, and halves of
 * characters. They are errors in HTML and XML, can hide or reorder text, and control the terminal that prints the file.
 */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\p{Noncharacter_Code_Point}\p{Surrogate}]/gu

/** Replaces each control character of a page or file by U+FFFD, so that its position stays visible. */
export function replaceControls(document: string): string {
  return document.replace(/\r\n?/g, '\n').replace(CONTROLS, '\ufffd')
}
