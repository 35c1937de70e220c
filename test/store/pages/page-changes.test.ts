// A checkpoint combines journal lines, and then writes the pages and state.json once.
import { expect, test } from 'vitest'
import type { StateFile } from '../../../src/store/folder/state-file.ts'
import type { RawLine } from '../../../src/store/journal/raw-line.ts'
import { createChangeCollector } from '../../../src/store/pages/page-changes.ts'

const STATE: StateFile = {
  format: 3,
  seq: 10,
  counters: { payments: 5 },
  settings: { 'delays.bank': '3s' },
  clock: { mode: 'frozen', speed: 1, virtual: 5, wall: 6 } as never,
}

/** Returns state.json after the lines. */
function stateAfter(...lines: Partial<RawLine>[]): StateFile {
  const collector = createChangeCollector(STATE)
  for (const [at, line] of lines.entries()) collector.add({ seq: 11 + at, crc: 100 + at, ...line } as RawLine)
  return collector.sum().state
}

test('settings and the clock stay if another table is cleared', () => {
  expect(stateAfter({ clear: ['payments'] })).toEqual({
    ...STATE,
    seq: 11,
    seq_crc: 100,
    counters: { payments: 0 },
  })
})

test('settings and the clock are removed with their table', () => {
  expect(stateAfter({ clear: ['state'] })).toEqual({
    format: 3,
    seq: 11,
    seq_crc: 100,
    counters: { payments: 5, state: 0 },
  })
})

test('state.json has the settings of the last line, also if an earlier line removed them', () => {
  const settings = { table: 'state', n: 0, id: 'settings', text: '{"id":"settings","values":{"delays.bank":"7s"}}' }
  const { settings: changed, seq } = stateAfter(
    { deletes: [{ table: 'state', n: 0, id: 'settings' }] } as Partial<RawLine>,
    { puts: [settings] } as Partial<RawLine>,
  )
  expect([changed, seq]).toEqual([{ 'delays.bank': '7s' }, 12])
})
