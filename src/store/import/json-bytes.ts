import { isUtf8 } from 'node:buffer'
import { encodingError, jsonSyntaxError, type TextSyntaxError } from '../../domain/json-syntax-error.ts'

export function parseJsonBytes(bytes: Buffer): { readonly value: unknown } | TextSyntaxError {
  if (!isUtf8(bytes)) return encodingError(bytes) ?? { line: 1, column: 1, why: 'the text is not UTF-8' }
  const text = bytes.toString('utf8')
  try {
    return { value: JSON.parse(text) }
  } catch {
    const error = jsonSyntaxError(text)
    return { ...error, why: `not JSON: ${error.why}` }
  }
}

/** Returns an issue if the first bytes show UTF-16 or a UTF-8 byte order mark. Other invalid bytes are ignored. */
export function encodingIssue(first: Buffer): string | undefined {
  const head = first.subarray(0, 4)
  if (isUtf8(head) && head[0] !== 0xef && !head.includes(0)) return undefined
  const error = encodingError(head)
  // The four bytes may end in the middle of a character, which is valid.
  return error?.found.startsWith('bytes') ? undefined : error?.why
}

/** Describes a JSON value by how it begins: `a string`, or the number itself. `undefined` for an object. */
export function describeJsonStart(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 40)
  return KINDS[start.charAt(0)] ?? /^-?\d[\d.eE+-]*/.exec(start)?.[0]
}

const KINDS: { readonly [first: string]: string } = {
  '[': 'an array',
  '"': 'a string',
  t: 'a boolean',
  f: 'a boolean',
  n: 'null',
}
