// Formats counts for messages.

/** Returns `1 event` or `2 events`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** Returns `10,000` for 10000. */
export function groupDigits(count: number | string, separator = ','): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, separator)
}
