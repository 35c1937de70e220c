import type { TextSyntaxError } from '../../domain/json-syntax-error.ts'
import { MAX_DEPTH } from '../../domain/json-values.ts'
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COMMA, NEWLINE, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-bytes.ts'

/** Finds the end of a JSON value in bytes that arrive in pieces. Does not check that the value is valid JSON. */
export class ValueScanner {
  /** The number of scanned bytes of the value. */
  length = 0
  /** The number of line ends in the value. */
  lines = 0
  /** The offset after the last line end of the value. */
  lastLineStart = 0
  readonly #maxBytes: number
  #depth = 0
  #inText = false
  /** True for a number or a literal. */
  #isPlain = false

  /** @param maxBytes the length limit of a value in bytes */
  constructor(maxBytes = MAX_ROW_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Prepares for the next value. */
  reset(): void {
    this.length = 0
    this.lines = 0
    this.lastLineStart = 0
    this.#depth = 0
    this.#inText = false
    this.#isPlain = false
  }

  /**
   * Continues with the value that begins at `start`. Returns its length, or `undefined` if more bytes are needed.
   * @throws ScanError
   */
  scan(bytes: Uint8Array, start: number): number | undefined {
    let at = start + this.length
    if (this.length === 0 && at < bytes.length) this.#isPlain = !OPENING.has(bytes[at] as number)
    if (this.#isPlain) return this.#scanPlain(bytes, start)
    let [depth, inText] = [this.#depth, this.#inText]
    for (; at < bytes.length; at++) {
      const byte = bytes[at]
      if (inText) {
        if (byte === QUOTE) {
          inText = false
          if (depth === 0) return this.#ended(at + 1, start)
        } else if (byte === BACKSLASH) {
          // Read both bytes or neither, because a piece may end between them.
          if (at + 1 === bytes.length) break
          at++
        } else if (byte === NEWLINE)
          throw this.#errorAt('not JSON: a string continues after the end of its line', at, start)
      } else if (byte === QUOTE) inText = true
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (++depth > MAX_DEPTH) throw this.#errorAt(`nested more than ${MAX_DEPTH} levels deep`, at, start)
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (--depth === 0) return this.#ended(at + 1, start)
      } else if (byte === NEWLINE) {
        this.lines++
        this.lastLineStart = at - start + 1
      }
    }
    this.#depth = depth
    this.#inText = inText
    return this.#unfinished(at, start)
  }

  /** Scans a number or a literal, which ends at the next separator. */
  #scanPlain(bytes: Uint8Array, start: number): number | undefined {
    let at = start + this.length
    for (; at < bytes.length; at++) if (TERMINATORS.has(bytes[at] as number)) return this.#ended(at, start)
    return this.#unfinished(at, start)
  }

  #unfinished(at: number, start: number): undefined {
    this.length = at - start
    const maxBytes = this.#maxBytes
    if (this.length > maxBytes) throw this.#errorAt(`a value is longer than ${maxBytes / 1024 / 1024} MiB`, at, start)
  }

  #errorAt(why: string, at: number, start: number): ScanError {
    return new ScanError({ why, line: this.lines + 1, column: at - start - this.lastLineStart + 1 })
  }

  #ended(end: number, start: number): number {
    this.length = end - start
    return this.length
  }
}

/** A value is not JSON, or exceeds a limit. The place of the issue is relative to the start of the value. */
export class ScanError extends Error {
  override readonly name = 'ScanError'
  readonly issue: TextSyntaxError
  constructor(issue: TextSyntaxError) {
    super(issue.why)
    this.issue = issue
  }
}

/**
 * The length limit of a row in bytes. An event contains a body of at most 64 MiB as text, in which each quote is escaped
 * with one more byte.
 */
const MAX_ROW_BYTES = 160 * 1024 * 1024

const OPENING: ReadonlySet<number> = new Set([QUOTE, OPEN_OBJECT, OPEN_LIST])
const TERMINATORS: ReadonlySet<number> = new Set([NEWLINE, COMMA, CLOSE_LIST, CLOSE_OBJECT])
