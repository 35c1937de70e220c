import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { StoreDamagedError } from '../../../src/store/errors.ts'
import type { FileSystemPort } from '../../../src/store/folder/file-system.ts'
import { type CoveredLine, readJournals } from '../../../src/store/journal/journal-reader.ts'
import { decodeLine } from '../../../src/store/journal/line.ts'
import { formatLineEnd } from '../fixtures.ts'

const lineOf = (seq: number, more = false, at = 0) => {
  const text = `{"seq":${seq},"at":${at},"command":"x"${more ? ',"more":true' : ''}`
  return text + formatLineEnd(crc32(Buffer.from(text)))
}
const linesOf = (...numbers: number[]) => numbers.map((seq) => lineOf(seq)).join('')

/** Reads files by the number of their first line. */
function read(files: { readonly [seq: number]: string }, covered: CoveredLine = { seq: 0 }) {
  const port = { read: (path: string) => Buffer.from(files[Number(path)] ?? '') } as unknown as FileSystemPort
  const replayed: string[] = []
  const list = Object.keys(files).map((path) => ({ path, seq: Number(path) }))
  const decoder = (content: Buffer) => (start: number, end: number) => decodeLine(content.subarray(start, end))
  const state = readJournals(port, list, covered, decoder, ({ seq }, file, line) => {
    replayed.push(`${seq} at ${file}:${line}`)
  })
  return { ...state, replayed }
}

function errorOf(run: () => unknown): StoreDamagedError {
  try {
    run()
  } catch (error) {
    if (error instanceof StoreDamagedError) return error
    throw error
  }
  return expect.fail('the files were read')
}

test('the lines of all files are replayed in order with their places', () => {
  expect(read({ 1: linesOf(1, 2), 3: linesOf(3) })).toEqual({
    next: 4,
    bytes: linesOf(1, 2, 3).length,
    obsolete: [],
    lastFile: { path: '3', size: linesOf(3).length },
    replayed: ['1 at 1:1', '2 at 1:2', '3 at 3:1'],
  })
  expect(read({})).toEqual({ next: 1, bytes: 0, obsolete: [], replayed: [] })
})

test('an empty file is obsolete, and the file before it is the last one', () => {
  expect(read({ 1: linesOf(1), 2: '' })).toEqual({
    next: 2,
    bytes: linesOf(1).length,
    obsolete: ['2'],
    lastFile: { path: '1', size: linesOf(1).length },
    replayed: ['1 at 1:1'],
  })
})

test('files whose lines the pages contain are obsolete, and later lines are replayed', () => {
  expect(read({ 1: linesOf(1, 2), 3: linesOf(3, 4) }, { seq: 3 })).toEqual({
    next: 5,
    bytes: linesOf(3, 4).length,
    obsolete: ['1'],
    lastFile: { path: '3', size: linesOf(3, 4).length },
    replayed: ['4 at 3:2'],
  })
})

test('an incomplete commit at the end is torn, with its first line', () => {
  const whole = linesOf(1)
  const torn = lineOf(2, true) + lineOf(3, true) + lineOf(4).slice(0, 9)
  expect(read({ 1: whole + torn })).toEqual({
    next: 2,
    bytes: whole.length,
    obsolete: [],
    lastFile: { path: '1', size: whole.length },
    torn: { path: '1', size: whole.length, bytes: torn.length, line: 2 },
    replayed: ['1 at 1:1'],
  })
})

test('a commit of several lines is replayed with the place of each line, also without its last newline', () => {
  const content = (lineOf(1, true) + lineOf(2, true) + lineOf(3)).slice(0, -1)
  expect(read({ 1: content })).toEqual({
    next: 4,
    bytes: content.length + 1,
    obsolete: [],
    lastFile: { path: '1', size: content.length + 1, lacksNewline: true },
    replayed: ['1 at 1:1', '2 at 1:2', '3 at 1:3'],
  })
})

const OTHER = ': the file is from another history'
test.each<[string, { readonly [seq: number]: string }, CoveredLine, string, number, string]>([
  ['a missing line', { 1: linesOf(1, 3) }, { seq: 0 }, '1', 2, 'expected line 2 of the journal, found 3'],
  ['missing files', { 1: linesOf(1), 4: linesOf(4) }, { seq: 0 }, '4', 1, 'lines 2 to 3 of the journal are missing'],
  [
    'an incomplete line before another file',
    { 1: linesOf(1) + lineOf(2, true), 2: linesOf(2) },
    { seq: 0 },
    '1',
    2,
    'the last line is incomplete, and later files exist',
  ],
  [
    'a damaged line',
    { 1: `${linesOf(1)}damaged\n` },
    { seq: 0 },
    '1',
    2,
    'not a line of the journal (no checksum at its end)',
  ],
  [
    'an obsolete file with another last line',
    { 1: linesOf(1, 2), 5: linesOf(5) },
    { seq: 4 },
    '1',
    2,
    `the pages contain the journal up to line 4, and this file ends with line 2, not line 4${OTHER}`,
  ],
  [
    'an obsolete file with another last line and no last newline',
    { 1: linesOf(1, 2, 3).slice(0, -1), 5: linesOf(5) },
    { seq: 4 },
    '1',
    3,
    `the pages contain the journal up to line 4, and this file ends with line 3, not line 4${OTHER}`,
  ],
  [
    'an obsolete file whose last line is another one with the same number',
    { 1: linesOf(1, 2), 3: linesOf(3) },
    { seq: 2, seq_crc: 1 },
    '1',
    2,
    `the pages contain the journal up to line 2, and this file has a different line 2${OTHER}`,
  ],
  [
    'a line that is another one with the same number',
    { 1: linesOf(1, 2, 3) },
    { seq: 2, seq_crc: 1 },
    '1',
    2,
    `the pages contain the journal up to line 2, and this file has a different line 2${OTHER}`,
  ],
  [
    'too few lines',
    { 1: linesOf(1, 2) },
    { seq: 3 },
    '1',
    2,
    `the pages contain the journal up to line 3, and this file ends with line 2, not line 3${OTHER}`,
  ],
])('%s is an error with its file and line', (_, files, covered, file, line, why) => {
  const error = errorOf(() => read(files, covered))
  expect([error.file, error.line, error.why]).toEqual([file, line, why])
})
