// Forms as values: fields with their texts, and where one is typing.

/** A field is typed into, or goes through a few values. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly choices?: readonly string[]
  /** Shown only where this holds. */
  readonly when?: (values: Values) => boolean
}

export type Values = { readonly [field: string]: string }

export type FormName = 'new' | 'decline' | 'refund' | 'advance'

export interface Form {
  readonly name: FormName
  readonly title: string
  readonly values: Values
  /** Which of the shown fields has the cursor, and where in it (characters). */
  readonly field: number
  readonly cursor: number
  /** The whole text of the field is chosen: what is typed takes its place. */
  readonly selected: boolean
  readonly problem: string | undefined
  /** A key meant nothing to the field it was typed at: Enter would do what nobody has asked for. */
  readonly blocked: boolean
  /** What the form is about: the id, and what else its end needs. */
  readonly subject: Subject
}

export interface Subject {
  readonly id: string
  readonly currency: string
  /** Minor units that can still be refunded. */
  readonly remainder: number
  readonly pane: 'payments' | 'payouts'
}

export const NO_SUBJECT: Subject = { id: '', currency: 'RUB', remainder: 0, pane: 'payments' }
