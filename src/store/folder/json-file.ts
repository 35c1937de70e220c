import { closestName } from '../../domain/closest-name.ts'
import { encodingError, jsonSyntaxError } from '../../domain/json-syntax-error.ts'
import { StoreDamagedError } from '../errors.ts'
import { NEWLINE } from '../json-characters.ts'

/**
 * Parses a JSON file.
 * @throws StoreDamagedError with the line
 */
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

/**
 * Rejects a file that is not UTF-8, because a rewrite would change its characters.
 * @throws StoreDamagedError with the line
 */
function checkEncoding(file: string, bytes: Buffer): void {
  const error = encodingError(bytes)
  if (error !== undefined) throw new StoreDamagedError(file, error.line, error.why)
}

/** Returns the line of the first key with this name, at any depth, for messages about its value. */
export function lineOfKey(bytes: Buffer, key: string): number {
  const at = bytes.indexOf(`${JSON.stringify(key)}:`)
  return at < 0 ? 1 : lineAt(bytes, at)
}

/** Returns the first unknown key, if there is one. psp would ignore it and drop it at the next write. */
export function unknownKey(
  value: object,
  known: readonly string[],
  what = 'key',
): { readonly key: string; readonly why: string } | undefined {
  const key = Object.keys(value).find((each) => !known.includes(each))
  return key === undefined ? undefined : { key, why: `${key}: unknown ${what}${suggestion(key, known)}` }
}

/** Returns ` (did you mean clock?)` or `; known are format, seq`. */
export function suggestion(name: string, known: readonly string[]): string {
  const meant = closestName(name, known)
  return meant === undefined ? `; known are ${known.join(', ')}` : ` (did you mean ${meant}?)`
}

function lineAt(bytes: Buffer, offset: number): number {
  let line = 1
  for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < offset; at = bytes.indexOf(NEWLINE, at + 1)) line++
  return line
}

/** If a row is cut, the parser fails in the next line. Returns the line of the cut row, or `line` if no row is cut. */
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
