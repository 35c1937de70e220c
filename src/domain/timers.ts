/** The machine's timers, as small as most rooms need them; real ones come from `time/`. */
export interface Timers {
  setTimeout(fn: () => void, ms: number): { cancel(): void }
}
