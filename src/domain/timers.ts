/** The subset of the machine's timers that most modules need. */
export interface Timers {
  setTimeout(fn: () => void, ms: number): { cancel(): void }
}
