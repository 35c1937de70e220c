// Text that takes a column for each character, and needs no library to know.

/** What a table asks of its texts. */
export interface TextMetrics {
  /** Columns the text takes. */
  displayWidth(text: string): number
  /** At most `columns` wide; where something was cut, the last column is an ellipsis. */
  truncate(text: string, columns: number): string
}

export function isPlainAscii(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

/** For plain ASCII, and what was cut of it. */
export const ASCII_METRICS: TextMetrics = {
  displayWidth: (text) => text.length,
  truncate: (text, columns) => (text.length <= columns ? text : columns <= 0 ? '' : `${text.slice(0, columns - 1)}…`),
}
