// The dialogs as data. One is open at a time.
import type { Form } from '../../view-model/forms/form.ts'

export type DialogState =
  | { readonly kind: 'form'; readonly form: Form }
  /** A question before something that cannot be undone. */
  | { readonly kind: 'confirm'; readonly question: string; readonly confirm: string; run(): unknown }
  | { readonly kind: 'help' }
