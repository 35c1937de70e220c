import type { TextSyntaxError } from '../../domain/json-syntax-error.ts'
import { MAX_DEPTH } from '../../domain/json-values.ts'
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  NEWLINE,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from '../json-characters.ts'

/** Finds the end of a JSON value in bytes that arrive in pieces. Does not check that the value is valid JSON. */
export class ValueScanner {
  /** The number of line ends in the value. */
  lines = 0
  /** The offset after the last line end of the value. */
  lastLineStart = 0
  readonly #maxBytes: number
  /** The number of scanned bytes of the value. */
  #length = 0
  #depth = 0
  #inString = false
  /** True for a number or a literal. */
  #isPlain = false

  constructor(maxBytes = MAX_ROW_BYTES) {
    this.#maxBytes = maxBytes
  }

  reset(): void {
    this.#length = 0
    this.lines = 0
    this.lastLineStart = 0
    this.#depth = 0
    this.#inString = false
    this.#isPlain = false
  }

  /**
   * Continues with the value that begins with `bytes`. Returns its length, `undefined` if more bytes are needed, or an
   * issue. The place of the issue is relative to the start of the value.
   * @param bytes the bytes of earlier calls for this value, and more
   */
  scan(bytes: Uint8Array): number | TextSyntaxError | undefined {
    let at = this.#length
    if (at === 0 && bytes.length > 0) this.#isPlain = !OPENING.has(bytes[0] as number)
    if (this.#isPlain) return this.#scanPlain(bytes)
    let [depth, inString] = [this.#depth, this.#inString]
    for (; at < bytes.length; at++) {
      const byte = bytes[at]
      if (inString) {
        if (byte === QUOTE) {
          inString = false
          if (depth === 0) return at + 1
        } else if (byte === BACKSLASH) {
          // Read both bytes or neither, because a piece may end between them.
          if (at + 1 === bytes.length) break
          at++
        } else if (byte === NEWLINE) return this.#issueAt('not JSON: a string continues after the end of its line', at)
      } else if (byte === QUOTE) inString = true
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (++depth > MAX_DEPTH) return this.#issueAt(`nested more than ${MAX_DEPTH} levels deep`, at)
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (--depth === 0) return at + 1
      } else if (byte === NEWLINE) {
        this.lines++
        this.lastLineStart = at + 1
      }
    }
    this.#depth = depth
    this.#inString = inString
    return this.#unfinished(at)
  }

  /** Scans a number or a literal, which ends at the next separator. */
  #scanPlain(bytes: Uint8Array): number | TextSyntaxError | undefined {
    for (let at = this.#length; at < bytes.length; at++) if (TERMINATORS.has(bytes[at] as number)) return at
    return this.#unfinished(bytes.length)
  }

  #unfinished(at: number): TextSyntaxError | undefined {
    this.#length = at
    const maxBytes = this.#maxBytes
    return at > maxBytes ? this.#issueAt(`a value is longer than ${maxBytes / 1024 / 1024} MiB`, at) : undefined
  }

  #issueAt(why: string, at: number): TextSyntaxError {
    return { why, line: this.lines + 1, column: at - this.lastLineStart + 1 }
  }
}

/** In bytes. An event contains a body of at most 64 MiB as text, in which each quote takes one more byte. */
const MAX_ROW_BYTES = 160 * 1024 * 1024

const OPENING: ReadonlySet<number> = new Set([QUOTE, OPEN_OBJECT, OPEN_LIST])
const TERMINATORS: ReadonlySet<number> = new Set([NEWLINE, COMMA, CLOSE_LIST, CLOSE_OBJECT])
