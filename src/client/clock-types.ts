// The clock of a sandbox, as the control API shows it.

/** How the clock runs. `now` and `next_due` in RFC 3339; `next_due` is null where no step waits. */
export interface ClockView {
  readonly mode: 'real' | 'frozen' | 'scaled'
  readonly now: string
  readonly speed: number
  readonly next_due: string | null
}

/** A step that waits for its time. */
export interface DueStep {
  readonly due: string
  /** `deliver` is a webhook attempt. */
  readonly step: string
  readonly object_id: string
}

/** The clock, and what waits if it is frozen. */
export interface IdleView extends ClockView {
  /** False: the clock is frozen, and steps wait until it is moved. */
  readonly idle: boolean
  /** How many steps wait. */
  readonly waiting: number
  /** The first of them, in order. */
  readonly due: readonly DueStep[]
  /** If it is not idle: why, and how to go on. */
  readonly message?: string
}

/** What an advance did: where the clock stands now, and how many steps and webhook attempts there were. */
export interface AdvanceReport {
  readonly now: string
  readonly steps: number
  readonly deliveries: number
  /** Steps due after the last time the clock can show; only after an advance until idle that ended there. */
  readonly never?: number
}
