// Reads the text of a state row by row, because the whole text may exceed the longest string and the memory. Accepts
// any JSON of the form {…, "tables": {"payments": [{row}, …], …}}, with any white space and in any order of fields.
import type { TextSyntaxError } from '../../domain/json-syntax-error.ts'
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, NEWLINE, OPEN_LIST, OPEN_OBJECT, QUOTE } from '../json-characters.ts'
import { ByteQueue } from './byte-queue.ts'
import { describeJsonStart, encodingIssue, parseJsonBytes } from './json-bytes.ts'
import { StateTextError } from './state-text-error.ts'
import { ValueScanner } from './value-scanner.ts'

/** A part of the text of a state, in the order of the text. */
export type StateItem =
  /** A field next to `tables`. */
  | { readonly kind: 'field'; readonly name: string; readonly value: unknown; readonly line: number }
  /** The beginning of a table. Its rows follow. */
  | { readonly kind: 'table'; readonly name: string; readonly line: number }
  | {
      readonly kind: 'row'
      readonly table: string
      readonly index: number
      readonly row: unknown
      readonly line: number
    }

/** The next expected part of the text. */
type Expected =
  | 'start'
  | 'first key'
  | 'key'
  | 'colon'
  | 'value'
  | 'tables'
  | 'list'
  | 'first row'
  | 'row'
  | 'after'
  | 'end'

export class StateReader {
  readonly #queue = new ByteQueue()
  readonly #value: ValueScanner
  #expected: Expected = 'start'
  /** True inside `tables`, false in the object around it. */
  #inTables = false
  /** The value that begins at the first byte of the queue and is not complete yet. */
  #scanning: 'row' | 'field' | 'key' | undefined
  #name = ''
  #table = ''
  #index = 0
  readonly #tableNames = new Set<string>()
  #hasTables = false
  #line = 1
  /** The offset of the first byte of the line. */
  #lineStart = 0
  /** The first bytes of the text. They show whether its encoding is the cause of an error. */
  #head: Buffer = Buffer.alloc(0)

  constructor(maxRowBytes?: number) {
    this.#value = new ValueScanner(maxRowBytes)
  }

  /** Call it after the last chunk. Throws `StateTextError` if the text is incomplete. */
  end(): void {
    this.#head = Buffer.concat([this.#head, Buffer.alloc(HEAD_BYTES, ' ')])
    // `push` reads nothing before it has the first bytes. A shorter text is padded here, and then read.
    for (const _ of this.push(Buffer.alloc(0)));
    if (this.#expected === 'start') throw this.#notAnObject('nothing')
    if (this.#expected !== 'end') throw this.#syntax('the text ends too early')
    if (!this.#hasTables) throw new StateTextError('tables: expected an object of tables', 1)
  }

  /** @throws StateTextError */
  *push(chunk: Uint8Array): Generator<StateItem> {
    if (this.#head.length < HEAD_BYTES) this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES)])
    this.#queue.push(chunk)
    if (this.#head.length < HEAD_BYTES) return
    for (;;) {
      const before = this.#queue.offset
      const item = this.#next()
      if (item !== undefined) yield item
      else if (this.#queue.offset === before) return
    }
  }

  /** Returns the item of the next step, if it has one. A step that leaves the queue unchanged needs more bytes. */
  #next(): StateItem | undefined {
    if (this.#scanning !== undefined) return this.#continueValue(this.#scanning)
    const { bytes } = this.#queue
    let at = 0
    while (at < bytes.length && BLANK[bytes[at] as number] === 1) {
      if (bytes[at++] !== NEWLINE) continue
      this.#line++
      this.#lineStart = this.#queue.offset + at
    }
    if (at > 0) this.#queue.drop(at)
    const byte = bytes[at]
    return byte === undefined ? undefined : this.#step(byte)
  }

  /** Handles the first byte of the queue: a byte of structure, or the beginning of a value. */
  #step(byte: number): StateItem | undefined {
    switch (this.#expected) {
      case 'start':
        if (byte !== OPEN_OBJECT) throw this.#notAnObject(describeJsonStart(this.#queue.bytes), byte)
        return this.#skipByte('first key')
      case 'first key':
      case 'key':
        if (byte === QUOTE) this.#scanning = 'key'
        else if (byte === CLOSE_OBJECT && this.#expected === 'first key') return this.#close()
        else throw this.#unexpected(byte)
        return this.#continueValue('key')
      case 'colon':
        if (byte !== COLON) throw this.#unexpected(byte)
        return this.#skipByte(this.#inTables ? 'list' : this.#name === 'tables' ? 'tables' : 'value')
      case 'value':
        this.#scanning = 'field'
        return this.#continueValue('field')
      case 'tables':
        if (byte !== OPEN_OBJECT) throw this.#contentError('tables: expected an object of tables')
        if (this.#hasTables) throw this.#contentError('tables: the field exists twice')
        this.#inTables = true
        this.#hasTables = true
        return this.#skipByte('first key')
      case 'list':
        return this.#openTable(byte)
      case 'first row':
      case 'row':
        if (byte === CLOSE_LIST && this.#expected === 'first row') return this.#closeTable()
        if (byte !== OPEN_OBJECT) {
          if (byte === CLOSE_LIST || byte === COMMA) throw this.#unexpected(byte)
          throw this.#contentError(`tables.${this.#table}[${this.#index}]: expected an object`)
        }
        this.#scanning = 'row'
        return this.#continueValue('row')
      case 'after':
        return this.#after(byte)
      case 'end':
        throw this.#unexpected(byte)
    }
  }

  #after(byte: number): undefined {
    if (this.#table !== '') {
      if (byte === COMMA) return this.#skipByte('row')
      if (byte === CLOSE_LIST) return this.#closeTable()
    } else {
      if (byte === COMMA) return this.#skipByte('key')
      if (byte === CLOSE_OBJECT) return this.#close()
    }
    throw this.#unexpected(byte)
  }

  #openTable(byte: number): StateItem {
    if (byte !== OPEN_LIST) throw this.#contentError(`tables.${this.#name}: expected a list of rows`)
    if (this.#tableNames.has(this.#name)) throw this.#contentError(`tables.${this.#name}: the table exists twice`)
    this.#tableNames.add(this.#name)
    this.#table = this.#name
    this.#index = 0
    this.#skipByte('first row')
    return { kind: 'table', name: this.#table, line: this.#line }
  }

  #closeTable(): undefined {
    this.#table = ''
    return this.#skipByte('after')
  }

  #close(): undefined {
    const next = this.#inTables ? 'after' : 'end'
    this.#inTables = false
    return this.#skipByte(next)
  }

  /** Drops one byte and sets what is expected next. */
  #skipByte(next: Expected): undefined {
    this.#queue.drop(1)
    this.#expected = next
  }

  /** Continues the value that begins at the first byte of the queue. */
  #continueValue(kind: 'row' | 'field' | 'key'): StateItem | undefined {
    const { bytes } = this.#queue
    const length = this.#value.scan(bytes)
    if (length === undefined) return undefined
    if (typeof length !== 'number') throw this.#errorIn(length)
    const parsed = parseJsonBytes(bytes.subarray(0, length))
    if ('why' in parsed) throw this.#errorIn(parsed)
    const line = this.#line
    const { lines, lastLineStart } = this.#value
    if (lines > 0) {
      this.#line += lines
      this.#lineStart = this.#queue.offset + lastLineStart
    }
    this.#queue.drop(length)
    this.#value.reset()
    this.#scanning = undefined
    this.#expected = kind === 'key' ? 'colon' : 'after'
    if (kind === 'row') return { kind, table: this.#table, index: this.#index++, row: parsed.value, line }
    if (kind === 'field') return { kind, name: this.#name, value: parsed.value, line }
    this.#name = parsed.value as string
    return undefined
  }

  /** Returns the error for an issue in the value at the start of the queue. */
  #errorIn({ line, column, why }: TextSyntaxError): StateTextError {
    const before = line > 1 ? 0 : this.#queue.offset - this.#lineStart
    return new StateTextError(why, this.#line + line - 1, { column: before + column, isSyntax: true })
  }

  /** @param found the kind of the value, or `undefined` if no JSON value begins like this */
  #notAnObject(found: string | undefined, byte = 0): StateTextError {
    if (found === undefined) return this.#unexpected(byte)
    return this.#encoding() ?? new StateTextError(`expected a JSON object, got ${found}`, 1, { column: 1 })
  }

  #unexpected(byte: number): StateTextError {
    const found = byte < 128 ? JSON.stringify(String.fromCharCode(byte)) : 'another character'
    return this.#syntax(`unexpected ${found}`)
  }

  /** Returns an error at the first byte of the queue. */
  #syntax(why: string): StateTextError {
    const column = this.#queue.offset - this.#lineStart + 1
    return this.#encoding() ?? new StateTextError(`not JSON: ${why}`, this.#line, { column, isSyntax: true })
  }

  #contentError(why: string): StateTextError {
    return this.#encoding() ?? new StateTextError(why, this.#line)
  }

  #encoding(): StateTextError | undefined {
    const why = encodingIssue(this.#head)
    return why === undefined ? undefined : new StateTextError(why, 1, { column: 1, isSyntax: true })
  }
}

const HEAD_BYTES = 4
const BLANK = new Uint8Array(256)
for (const byte of [9, 10, 13, 32]) BLANK[byte] = 1
