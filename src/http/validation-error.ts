import { RefusalError } from '../domain/errors.ts'

export interface FieldIssue {
  readonly path: readonly PropertyKey[]
  /** A sentence: `expected an integer, got "x".` */
  readonly message: string
}

/** A body whose fields are at fault, each with its path: whoever took the body from a larger document names them there. */
export class ValidationError extends RefusalError {
  readonly issues: readonly FieldIssue[]
  /** A last sentence about all of them. */
  readonly hint: string

  constructor(faults: readonly FieldIssue[], hint = '') {
    super(
      'bad_request',
      sentences(faults, hint, (path) => path.map(String).join('.') || 'body'),
    )
    this.issues = faults
    this.hint = hint
  }

  /** @param place in the document, as in `shops[0].`: list entries are in brackets there */
  within(place: string): string {
    return sentences(this.issues, this.hint, (path) => `${place}${documentPath(path)}`.replace(/\.$/, ''))
  }
}

function sentences(
  faults: readonly FieldIssue[],
  hint: string,
  name: (path: readonly PropertyKey[]) => string,
): string {
  return [...faults.map(({ path, message }) => `${name(path)}: ${message}`), ...(hint === '' ? [] : [hint])].join(' ')
}

/** `endpoints[1].url`. */
function documentPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (/^\d+$/.test(String(part)) ? `[${String(part)}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}
