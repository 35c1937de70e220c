// Which rows one insert scans and deletes, in the order of the scan.
import { expect, test } from 'vitest'
import type { Commit } from '../../src/engine/commit.ts'
import { Draft } from '../../src/engine/draft.ts'
import { trimDeliveries, trimEvents } from '../../src/engine/retention.ts'
import { seededRandomness } from '../../src/random.ts'
import { memoryLog, START } from './bench-world.ts'

const EMPTY: Commit = { clear: [], deletes: [], puts: [], stream: [], result: null }

/** A log with the limit and the rows, each `waiting` (w), or finished. Events have one delivery each. */
function logOf(table: 'events' | 'deliveries', statuses: string, limit: number) {
  const log = memoryLog()
  const rows = [...statuses].map((status, n) => ({ n, status: status === 'w' ? 'waiting' : 'delivered' }))
  const deliveries = rows.map(({ n, status }) => ({ id: `d${n}`, event_id: `e${n}`, status }))
  const events = table === 'events' ? rows.map(({ n }) => ({ id: `e${n}` })) : []
  const put = (name: string, row: object) => ({ table: name, row }) as unknown as Commit['puts'][number]
  log.append(START, 'x', {
    ...EMPTY,
    puts: [
      put('state', { id: 'settings', values: { 'retention.events': limit } }),
      ...deliveries.map((row) => put('deliveries', row)),
      ...events.map((row) => put('events', row)),
    ],
  })
  return {
    log,
    /** Trims once, stores the result, and returns the deleted ids and the cursor. */
    trim() {
      const draft = new Draft(log.world, { now: START, commitNumber: 1, random: seededRandomness(1) })
      if (table === 'events') trimEvents(draft)
      else trimDeliveries(draft)
      const commit = draft.commit(null)
      log.append(START, 'x', commit)
      return [commit.deletes.map(({ id }) => id).join(' '), commit.retention_cursor?.[table]]
    },
  }
}

test.each([
  ['dddd', 6, ['', undefined]],
  ['dddd', 5, ['', undefined]],
  ['dddd', 4, ['d0', undefined]],
  ['dddd', 3, ['d0 d1', undefined]],
  ['dddd', 1, ['d0 d1', undefined]],
  ['wddd', 3, ['d1 d2', undefined]],
  ['wwwddd', 3, ['d3 d4', undefined]],
  ['wdwd', 3, ['d1 d3', undefined]],
])('an insert into the deliveries %s with the limit %i deletes %j', (statuses, limit, result) => {
  expect(logOf('deliveries', statuses, limit).trim()).toEqual(result)
})

test('an insert looks at eight rows, and the next ones continue after the last row that was not finished', () => {
  const { trim } = logOf('deliveries', 'wwwwwwwwwwddd', 5)
  expect([trim(), trim(), trim(), trim()]).toEqual([
    ['', 'd4'],
    ['', 'd9'],
    ['d10 d11', undefined],
    // The scan reached the end, so the next one begins with the oldest row again.
    ['d12', undefined],
  ])
})

test('a scan that reaches the end begins again with the oldest row', () => {
  const { log, trim } = logOf('deliveries', 'wwwwwwww', 3)
  expect([trim(), trim(), trim()]).toEqual([
    ['', 'd4'],
    ['', undefined],
    ['', 'd4'],
  ])
  expect(log.world.retentionCursor).toEqual({ deliveries: 'd4' })
})

test('an insert of an event deletes events without a waiting delivery, with their deliveries', () => {
  expect(logOf('events', 'dddd', 4).trim()).toEqual(['d0 e0', undefined])
  expect(logOf('events', 'wdwd', 3).trim()).toEqual(['d1 e1 d3 e3', undefined])
  const { trim } = logOf('events', 'wwwwwwdd', 3)
  expect([trim(), trim()]).toEqual([
    ['', 'e4'],
    ['d6 e6 d7 e7', undefined],
  ])
})
