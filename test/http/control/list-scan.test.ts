// The scan of a list yields to the event loop by time, because a row may take milliseconds to read.
import { expect, test } from 'vitest'
import { tablePage } from '../../../src/http/control/pagination.ts'
import type { ControlCall } from '../../../src/http/control/route.ts'

interface Row {
  readonly id: string
  readonly created_at: number
  readonly text: string
}

/** A table of rows, the newest first. Each row that is read takes `ms`. */
function tableOf(rows: Row[], ms: number) {
  let now = 0
  const seen = { rows: 0, turns: 0 }
  let onTurn = () => {}
  function* read(from: readonly Row[]) {
    for (const row of [...from]) {
      seen.rows++
      now += ms
      yield row
    }
  }
  const call = {
    services: {
      systemClock: {
        monotonic: () => now,
        nextTurn: (fn: () => void) => {
          seen.turns++
          onTurn()
          fn()
        },
      },
    },
    world: {
      rows: () => read(rows),
      rowsBefore: (_: string, id: string) => read(rows.slice(rows.findIndex((row) => row.id === id) + 1)),
      get(_: string, id: string) {
        now += ms
        return rows.find((row) => row.id === id)
      },
    },
  } as unknown as Pick<ControlCall, 'services' | 'world'>
  return {
    seen,
    onTurn: (fn: () => void) => {
      onTurn = fn
    },
    async page(limit: number, wanted: (row: Row) => boolean = () => true, cursor?: string) {
      const { text = '' } = await tablePage(call, 'rules', { limit, cursor }, wanted as never, (row) => row)
      return JSON.parse(text) as { readonly items: readonly Row[]; readonly next_cursor: string | null }
    },
  }
}

const rowsOf = (count: number, text = ''): Row[] =>
  Array.from({ length: count }, (_, n) => ({ id: `r${n}`, created_at: 1000 - n, text }))

test('a scan of slow rows yields after each 8 ms', async () => {
  const { seen, page } = tableOf(rowsOf(100), 5)
  expect((await page(100, ({ id }) => id === 'r99')).items).toHaveLength(1)
  expect(seen.rows).toBe(100)
  expect(seen.turns).toBeGreaterThanOrEqual(49)
})

test('a page of slow rows yields while its rows are read again', async () => {
  const { seen, page } = tableOf(rowsOf(10), 9)
  expect((await page(10)).items).toHaveLength(10)
  expect(seen.turns).toBeGreaterThanOrEqual(19)
})

test('a scan of quick rows does not yield', async () => {
  const { seen, page } = tableOf(rowsOf(1000), 0.001)
  expect((await page(1000)).items).toHaveLength(1000)
  expect(seen.turns).toBe(0)
})

test('a scan reads no rows beyond the first one that does not fit in the page', async () => {
  const large = tableOf(rowsOf(100, 'x'.repeat(1024 * 1024)), 0)
  expect((await large.page(1000)).items).toHaveLength(7)
  expect(large.seen.rows).toBe(8)
  const small = tableOf(rowsOf(100), 0)
  expect((await small.page(10)).items).toHaveLength(10)
  expect(small.seen.rows).toBe(11)
})

test('a page with a cursor reads only its own rows, and all rows if the row of the cursor was deleted', async () => {
  const { seen, page } = tableOf(rowsOf(1000), 0)
  const next = await page(10, undefined, cursorAt(900, 'r100'))
  expect(next.items.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, n) => `r${n + 101}`))
  expect(seen.rows).toBe(11)
  const afterDeleted = await page(10, undefined, cursorAt(900, 'deleted'))
  expect(afterDeleted.items[0]?.id).toBe('r100')
})

test('a page contains its rows as they are after the scan, without those deleted during the scan', async () => {
  const rows = rowsOf(4)
  const { onTurn, page } = tableOf(rows, 5)
  onTurn(() => {
    rows[0] = { id: 'r0', created_at: 1000, text: 'changed' }
    if (rows[1]?.id === 'r1') rows.splice(1, 1)
  })
  const { items, next_cursor } = await page(3)
  expect(items.map(({ id, text }) => `${id} ${text}`)).toEqual(['r0 changed', 'r2 '])
  expect(next_cursor).toBe(cursorAt(998, 'r2'))
})

test('the cursor of a page continues after its last row, even if that row was deleted during the scan', async () => {
  const rows = rowsOf(5)
  const { onTurn, page } = tableOf(rows, 9)
  let turns = 0
  onTurn(() => {
    if (++turns === 4) rows.splice(1, 1)
  })
  const { items, next_cursor } = await page(2)
  expect(items.map(({ id }) => id)).toEqual(['r0'])
  expect(next_cursor).toBe(cursorAt(999, 'r1'))
})

function cursorAt(place: number, id: string): string {
  return `${place}.${Buffer.from(id).toString('base64url')}`
}
