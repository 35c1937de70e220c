// Measures and truncates printable ASCII text, one column per character, without loading `string-width`.

/** The text measurements that a table needs. */
export interface TextMetrics {
  /** Returns the width of the text in terminal columns. */
  displayWidth(text: string): number
  /** Limits the text to `columns`. If text is removed, the last column is an ellipsis. */
  truncate(text: string, columns: number): string
}

export function isPlainAscii(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

/** Valid for text that {@link isPlainAscii} accepts, and for the result of truncating it. */
export const ASCII_METRICS: TextMetrics = {
  displayWidth: (text) => text.length,
  truncate: (text, columns) => (text.length <= columns ? text : columns <= 0 ? '' : `${text.slice(0, columns - 1)}…`),
}
