import { expect, test } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/errors.ts'
import { layoutOf } from '../../../src/store/folder/layout.ts'
import { type Journal, openJournal } from '../../../src/store/journal/journal.ts'
import { createMemory } from '../../../src/store/memory/memory.ts'
import { commitOf } from '../fixtures.ts'
import { diskError, memoryDisk } from '../memory-disk.ts'

const FOLDER = '/home/.psp'
const FILE = `${FOLDER}/journal/000000000001.ndjson`

function openedJournal() {
  const disk = memoryDisk()
  for (const folder of [FOLDER, `${FOLDER}/journal`]) disk.port.makeFolder(folder)
  return { disk, journal: openJournal(disk.port, layoutOf(FOLDER), { next: 1 }), text: () => textOf(disk) }
}

const textOf = ({ port }: ReturnType<typeof memoryDisk>) => port.read(FILE)?.toString()

function addLine(journal: Journal, seq: number): void {
  journal.add(seq, 0, 'x', commitOf({}), createMemory().apply(commitOf({})))
}

test('a write that fails leaves the file as it was, at once', () => {
  const { disk, journal, text } = openedJournal()
  addLine(journal, 1)
  journal.write()
  const [before, size] = [text(), journal.size]
  expect(before).toMatch(/^\{"seq":1,"at":0,"command":"x","crc":\d+\}\n$/)
  disk.before = (call) => (call.startsWith('write journal') ? { taken: 5, error: diskError() } : undefined)
  addLine(journal, 2)
  expect(journal.size).toBeGreaterThan(size)
  expect(() => journal.write()).toThrow(StoreUnavailableError)
  expect([text(), journal.size]).toEqual([before, size])
  disk.before = () => undefined
  journal.write()
  expect(text()).toBe(before)
  addLine(journal, 3)
  journal.write()
  expect(
    text()
      ?.split('\n')
      .map((line) => line.slice(0, 8)),
  ).toEqual(['{"seq":1', '{"seq":3', ''])
})

test('an abandoned journal writes nothing, and the error says so', () => {
  const { journal, text } = openedJournal()
  addLine(journal, 1)
  journal.write()
  const before = text()
  addLine(journal, 2)
  journal.abandon()
  journal.write()
  addLine(journal, 3)
  expect(() => journal.write()).toThrow(/psp does not write to it any more/)
  expect(text()).toBe(before)
})

test('a journal without lines creates no file', () => {
  const { journal, text } = openedJournal()
  journal.write()
  expect([text(), journal.size, journal.integrityIssue()]).toEqual([undefined, 0, undefined])
})
