import { RefusalError } from '../domain/errors.ts'

export interface FieldIssue {
  readonly path: readonly PropertyKey[]
  /** A sentence: `expected an integer, got "x".` */
  readonly message: string
}

/** A body with invalid fields. Each issue has a path, so a caller can name it within a larger document. */
export class ValidationError extends RefusalError {
  readonly issues: readonly FieldIssue[]
  /** A sentence after all issues, such as the known fields. */
  readonly hint: string

  constructor(issues: readonly FieldIssue[], hint = '') {
    super(
      'bad_request',
      sentences(issues, hint, (path) => path.map(String).join('.') || 'body'),
    )
    this.issues = issues
    this.hint = hint
  }

  /** Returns the message for a place in a document, such as `shops[0].`, with list indices in brackets. */
  within(place: string): string {
    return sentences(this.issues, this.hint, (path) => `${place}${documentPath(path)}`.replace(/\.$/, ''))
  }
}

function sentences(
  issues: readonly FieldIssue[],
  hint: string,
  name: (path: readonly PropertyKey[]) => string,
): string {
  return [...issues.map(({ path, message }) => `${name(path)}: ${message}`), ...(hint === '' ? [] : [hint])].join(' ')
}

/** `endpoints[1].url`. */
function documentPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (/^\d+$/.test(String(part)) ? `[${String(part)}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}
