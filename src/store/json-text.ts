import { StoreDamaged } from './errors.ts'

/** Parses a whole JSON file. @throws StoreDamaged naming the line */
export function parseFile(file: string, bytes: Buffer): unknown {
  const text = bytes.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new StoreDamaged(file, faultLine(text), `not JSON: ${faultOf(text)}`)
  }
}

/** The line a top-level or nested key stands in, for messages about its value. */
export function lineOfKey(bytes: Buffer, key: string): number {
  const at = bytes.indexOf(`${JSON.stringify(key)}:`)
  return at < 0 ? 1 : lineAt(bytes, at)
}

/** Line number, from 1, of a byte. */
function lineAt(bytes: Buffer, offset: number): number {
  let line = 1
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line++
  return line
}

function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The engine does not always tell where: the fault is in the first line whose prefix is more than incomplete. */
function faultLine(text: string): number {
  const lines = text.split('\n')
  let [good, bad] = [0, lines.length]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (isIncomplete(lines.slice(0, middle).join('\n'))) good = middle
    else bad = middle
  }
  return bad
}

function isIncomplete(prefix: string): boolean {
  const fault = faultOf(prefix)
  if (fault === undefined) return true
  const position = / at position (\d+)/.exec(fault)?.[1]
  return /^Unexpected end|^Unterminated string/.test(fault) || Number(position) >= prefix.length
}
