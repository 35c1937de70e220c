// A form as a value: its fields, their text and the cursor.

/** A field for text, or for one of a few `choices`. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** A hint that only helps in a terminal. */
  readonly terminalHint?: string
  readonly choices?: readonly string[]
  /** Matches each allowed character; by default any. Another one causes a problem and does not change the value. */
  readonly characters?: RegExp
  /** If present, the field is shown only while this returns true. */
  readonly when?: (values: Values) => boolean
}

export type Values = { readonly [field: string]: string }

export type FormName = 'new' | 'decline' | 'refund' | 'advance' | 'resend'

export interface Form {
  readonly name: FormName
  readonly title: string
  readonly values: Values
  /** The index of the field with the cursor, among the visible fields. */
  readonly field: number
  /** Characters before the cursor. */
  readonly cursor: number
  /** The whole text of the field is selected, so typing replaces it. */
  readonly selected: boolean
  readonly problem: string | undefined
  /** True after a letter with which no choice begins. Enter is then ignored, because another value was expected. */
  readonly blocked: boolean
  /** The object that the form acts on. */
  readonly subject: Subject
}

export interface Subject {
  readonly id: string
  readonly currency: string
  /** The amount that can still be refunded, in minor units. */
  readonly remainder: number
  readonly pane: 'payments' | 'payouts'
  /** More objects that the form acts on. */
  readonly others: readonly string[]
}

export const NO_SUBJECT: Subject = { id: '', currency: 'RUB', remainder: 0, pane: 'payments', others: [] }
