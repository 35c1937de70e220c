import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { encodeCommit } from '../../../src/store/journal/line.ts'
import { createMemory } from '../../../src/store/memory/memory.ts'
import { commitOf, contents, formatLineEnd, payment, put, store } from '../fixtures.ts'
import { memoryDisk } from '../memory-disk.ts'

const FOLDER = '/home/.psp'
const FILE = `${FOLDER}/journal/000000000001.ndjson`
const small = commitOf({ puts: [put('rules', { id: 'r' })] })
const big = commitOf({
  clear: ['payments'],
  deletes: [{ table: 'rules', id: 'r' }],
  puts: Array.from({ length: 50 }, (_, n) => put('payments', payment(n))),
})

test('a commit that is too big for one line takes several lines', async () => {
  const { memory, lines } = written()
  expect(lines.length).toBeGreaterThan(5)
  for (const line of lines) JSON.parse(line)
  const whole = await opened(lines)
  expect(contents(whole.world)).toEqual(contents(memory))
  expect(whole.lastLine).toBe(lines.length)
  await whole.close()
})

test('a commit of several lines is dropped completely if its last line is missing', async () => {
  const { lines } = written()
  const notices: string[] = []
  const cut = await opened(lines.slice(0, -1), (text) => notices.push(text))
  expect(contents(cut.world)).toEqual({ rules: [{ id: 'r' }] })
  expect(cut.lastLine).toBe(1)
  expect(notices).toEqual([expect.stringMatching(/ndjson:2: dropped \d+ bytes/)])
  await cut.close()
})

function written() {
  const memory = createMemory()
  const texts = encodeCommit(1, 5, 'x', small, memory.apply(small))
  texts.push(...encodeCommit(2, 5, 'x', big, memory.apply(big), 1000))
  return { memory, lines: texts.map((text) => `${text}${formatLineEnd(crc32(Buffer.from(text)))}`) }
}

function opened(lines: readonly string[], notice: (text: string) => void = () => {}) {
  const { port } = memoryDisk()
  for (const folder of [FOLDER, `${FOLDER}/journal`]) port.makeFolder(folder)
  port.write(port.open(`${FOLDER}/state.json`, 'w'), Buffer.from('{"format":3,"seq":0,"counters":{}}'))
  port.write(port.open(FILE, 'a'), Buffer.from(lines.join('')))
  return store(FOLDER, { fs: port, notice })
}
