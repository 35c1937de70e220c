// The dialogs as data. One is open at a time.
import type { Form } from '../../view-model/forms/form.ts'

/** A question before an action, such as a deletion. */
export interface Confirmation {
  readonly kind: 'confirm'
  readonly question: string
  readonly confirm: string
  /** The button that closes the dialog without the action. Default: `Cancel`. */
  readonly dismiss?: string | undefined
  /** `primary` if nothing is lost. Default: `danger`. */
  readonly look?: 'primary' | undefined
  run(): unknown
}

export type DialogState = { readonly kind: 'form'; readonly form: Form } | Confirmation | { readonly kind: 'help' }
