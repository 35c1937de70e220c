import { closestName } from '../../domain/closest-name.ts'
import { encodingError, jsonSyntaxError } from '../../domain/json-syntax-error.ts'
import { StoreDamagedError } from '../errors.ts'

/** Parses a whole JSON file. @throws StoreDamagedError naming the line */
export function parseJsonFile(file: string, bytes: Buffer): unknown {
  checkEncoding(file, bytes)
  const text = bytes.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    const { line, why } = jsonSyntaxError(text)
    throw new StoreDamagedError(file, lineOfCutRow(text, line), `not JSON: ${why}`)
  }
}

/** What is no UTF-8 would be written back with other characters in it. @throws StoreDamagedError naming the line */
function checkEncoding(file: string, bytes: Buffer): void {
  const fault = encodingError(bytes)
  if (fault !== undefined) throw new StoreDamagedError(file, fault.line, fault.why)
}

/** The line a top-level or nested key stands in, for messages about its value. */
export function lineOfKey(bytes: Buffer, key: string): number {
  const at = bytes.indexOf(`${JSON.stringify(key)}:`)
  return at < 0 ? 1 : lineAt(bytes, at)
}

/** A key that would be ignored, and dropped at the next write. @returns `undefined` if all are known */
export function unknownKey(
  value: object,
  known: readonly string[],
  what = 'key',
): { readonly key: string; readonly why: string } | undefined {
  const key = Object.keys(value).find((each) => !known.includes(each))
  return key === undefined ? undefined : { key, why: `${key}: unknown ${what}${suggestion(key, known)}` }
}

/** `, did you mean clock?` or `; known are format, seq`. */
export function suggestion(name: string, known: readonly string[]): string {
  const meant = closestName(name, known)
  return meant === undefined ? `; known are ${known.join(', ')}` : `, did you mean ${meant}?`
}

/** Line number, from 1, of a byte. */
function lineAt(bytes: Buffer, offset: number): number {
  let line = 1
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line++
  return line
}

/** The end of a cut row is missed only in the next line: the row's own is meant. */
function lineOfCutRow(text: string, line: number): number {
  const [before = '', here = ''] = text
    .split('\n', line)
    .slice(-2)
    .map((each) => each.trim())
  return line > 2 && /^[{\]]/.test(here) && before.startsWith('{"') && !isJsonRow(before) ? line - 1 : line
}

function isJsonRow(row: string): boolean {
  try {
    JSON.parse(row.replace(/,$/, ''))
    return true
  } catch {
    return false
  }
}
