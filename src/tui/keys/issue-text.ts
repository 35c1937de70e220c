// Adds the key to press next to the reason why an action is not possible.
import type { ActionIssue, Remedy } from '../../view-model/actions/available-actions.ts'

const REMEDIES: Readonly<Record<Remedy, string>> = {
  show_payments: 'Press 1 to show payments.',
  show_webhooks: 'Press 3 to show webhooks.',
  create: 'Press n to create another one.',
  clear_marks: 'Press Esc to remove the marks.',
  show_marked: 'Clear the filter, or press Esc to remove the marks.',
}

export function issueText({ text, remedy }: ActionIssue): string {
  return remedy === undefined ? text : `${text} ${REMEDIES[remedy]}`
}
