// The clock of a sandbox, as the control API shows it.

/** How the clock runs. `now` and `next_due` are RFC 3339; `next_due` is null if no step is scheduled. */
export interface ClockView {
  readonly mode: 'real' | 'frozen' | 'scaled'
  readonly now: string
  readonly speed: number
  readonly next_due: string | null
}

export interface ScheduledStep {
  /** RFC 3339, on the sandbox's clock. */
  readonly due: string
  /** The kind of the step, such as `bank_answer` or `link_timeout`. `deliver` is a webhook attempt. */
  readonly step: string
  readonly object_id: string
}

/** The clock, and the scheduled steps if it is frozen. */
export interface IdleView extends ClockView {
  /** False if the clock is frozen and steps are due later. */
  readonly idle: boolean
  /** The number of scheduled steps, without expiries. */
  readonly waiting: number
  /** The first of these steps, in order. */
  readonly due: readonly ScheduledStep[]
  /** If the sandbox is not idle: the reason, and what to do next. */
  readonly message?: string
}

/** The result of an advance: the clock, and the number of steps and webhook attempts that ran. */
export interface AdvanceReport {
  readonly now: string
  readonly steps: number
  readonly deliveries: number
  /** Steps due after the latest time that the clock supports. Set only if an advance until idle ended there. */
  readonly never?: number
}
