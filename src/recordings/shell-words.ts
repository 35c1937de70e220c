// Splits a command line into words as a POSIX shell does, with the quotes that browsers use in "Copy as cURL".

export interface ShellWord {
  readonly text: string
  /** The line on which the word begins. Starts at 1. */
  readonly line: number
}

/** A quote is not closed, or a continued line is missing. The message is the end of a sentence: `line 4 has …`. */
export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError'
  readonly line: number
  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

/** One part of a word: `$'…'`, `'…'`, `"…"`, an escaped character, or plain characters. */
const PART = /\$'((?:[^'\\]|\\[\s\S])*)'|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\;]+)/y
/** White space and line continuations, comments, and the end of a command. */
const GAP = /(?:\s|\\\r?\n|;)+|#[^\n]*/y

/**
 * Returns the shell words in a text.
 * @throws ShellSyntaxError
 */
export function shellWords(text: string): ShellWord[] {
  const words: ShellWord[] = []
  let at = 0
  let line = 1
  const advance = (length: number) => {
    line += text.slice(at, at + length).split('\n').length - 1
    at += length
  }
  while (at < text.length) {
    const gap = match(GAP, text, at)
    if (gap !== undefined) {
      advance(gap[0].length)
      continue
    }
    const begin = line
    let word = ''
    for (let part = match(PART, text, at); part !== undefined; part = match(PART, text, at)) {
      word += partText(part)
      advance(part[0].length)
      if (match(GAP, text, at) !== undefined && text[at] !== '#') break
    }
    if (at < text.length && match(GAP, text, at) === undefined) {
      const isBackslash = text.slice(at) === '\\'
      throw new ShellSyntaxError(isBackslash ? ENDS_WITH_BACKSLASH : 'has a quote that is not closed.', line)
    }
    words.push({ text: word, line: begin })
  }
  return words
}

const ENDS_WITH_BACKSLASH =
  'ends with a backslash (\\), which continues the command on the next line, but there is no next line.'

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

function partText([, ansi, single, double, escaped, plain]: RegExpExecArray): string {
  if (ansi !== undefined) return ansiText(ansi)
  if (single !== undefined) return single
  if (double !== undefined)
    return double.replace(/\\(\r?\n|["\\$`])/g, (_, char: string) => (/\n/.test(char) ? '' : char))
  if (escaped !== undefined) return escaped === '\n' ? '' : escaped
  return plain ?? ''
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  e: '\u001b',
}

/** Decodes `$'…'`, which has the escapes of C. Several escaped bytes can be one character. */
function ansiText(text: string): string {
  const parts = text.match(/\\(?:u[\da-fA-F]{1,4}|U[\da-fA-F]{1,6}|x[\da-fA-F]{1,2}|[0-7]{1,3}|[\s\S])|[^\\]+/g) ?? []
  return Buffer.concat(parts.map(ansiPart)).toString('utf8')
}

function ansiPart(part: string): Buffer {
  const [, kind = '', digits = ''] = /^\\([uUx]?)([\da-fA-F]+)$/.exec(part) ?? []
  if (kind === 'x') return Buffer.from([Number.parseInt(digits, 16)])
  if (kind !== '') return Buffer.from(String.fromCodePoint(Math.min(Number.parseInt(digits, 16), 0x10ffff)))
  if (/^\\[0-7]/.test(part)) return Buffer.from([Number.parseInt(part.slice(1), 8) & 255])
  const char = part.slice(1)
  return Buffer.from(part.startsWith('\\') ? (ESCAPES[char] ?? char) : part)
}
