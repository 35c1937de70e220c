// The window over the rows of a list, and the filters and orders of its address.
import { describe, expect, it } from 'vitest'
import { applyQuery, hasFilters, nextSort } from '../../src/dashboard/components/list-query.ts'
import { fittingColumns, windowOf } from '../../src/dashboard/components/table-layout.ts'

describe('the window over a list', () => {
  it.each([
    ['the top', 0, { first: 0, end: 26 }],
    ['the middle of 10,000 rows', 36 * 5000, { first: 4994, end: 5026 }],
    ['the end', 36 * 10_000 - 720, { first: 9974, end: 10_000 }],
    ['a position behind the end, after rows were removed', 36 * 20_000, { first: 9994, end: 10_000 }],
  ])('the window at %s contains only the rows near it', (_where, top, rows) => {
    expect(windowOf(top, 720, 36, 10_000)).toEqual(rows)
  })

  it('a short list is complete in its window', () => {
    expect(windowOf(0, 720, 36, 3)).toEqual({ first: 0, end: 3 })
  })
})

describe('the columns of a list', () => {
  const columns = [{ minWidth: 8 }, { minWidth: 6 }, { minWidth: 10 }]

  it.each([
    [Number.POSITIVE_INFINITY, 3],
    // The columns, two gaps between them, and one at both ends.
    [28, 3],
    [27.9, 2],
    [17, 2],
    [16.9, 1],
    [0, 1],
  ])('in a list that is %d rem wide, the first columns that fit are shown', (width, count) => {
    expect(fittingColumns(columns, width)).toEqual(columns.slice(0, count))
  })

  it('a small column after one that does not fit is omitted too', () => {
    expect(fittingColumns([{ minWidth: 8 }, { minWidth: 20 }, { minWidth: 1 }], 15)).toEqual([{ minWidth: 8 }])
  })
})

describe('the query of a list', () => {
  const rows = [
    { id: 'c', status: 'failed', amount: 2, day: '2026-05-08' },
    { id: 'b', status: 'succeeded', amount: 3, day: '2026-05-07' },
    { id: 'a', status: 'failed', amount: 1, day: '2026-05-06' },
  ]
  type TestRow = (typeof rows)[number]
  const filters = [
    { key: 'status', read: (row: TestRow) => row.status },
    { key: 'date', choices: 'date' as const, read: (row: TestRow) => row.day },
  ]
  const sortings = [{ key: 'amount', compare: (a: TestRow, b: TestRow) => a.amount - b.amount }]
  const ids = (query: Record<string, string>) =>
    applyQuery(rows, query, filters, sortings)
      .map(({ id }) => id)
      .join('')

  it.each([
    [{}, 'cba'],
    [{ status: 'failed' }, 'ca'],
    [{ status: '' }, 'cba'],
    [{ status: 'other' }, ''],
    [{ sort: 'amount' }, 'acb'],
    [{ sort: '-amount' }, 'bca'],
    [{ sort: 'unknown' }, 'cba'],
    [{ status: 'failed', sort: 'amount' }, 'ac'],
    [{ unknown: 'x' }, 'cba'],
    [{ from: '2026-05-07' }, 'cb'],
    [{ to: '2026-05-07' }, 'ba'],
    [{ from: '2026-05-07', to: '2026-05-07' }, 'b'],
    [{ from: '2026-05-08', to: '2026-05-06' }, ''],
    [{ from: '', to: '' }, 'cba'],
    [{ from: '2026-05-06', to: '2026-05-08', status: 'failed' }, 'ca'],
  ])('the query %j gives the rows %s', (query, wanted) => {
    expect(ids(query)).toBe(wanted)
  })

  it('clicks on a column sort it in ascending order, in descending order, and not at all', () => {
    expect([nextSort('', 'amount'), nextSort('amount', 'amount'), nextSort('-amount', 'amount')]).toEqual([
      'amount',
      '-amount',
      '',
    ])
    expect(nextSort('amount', 'status')).toBe('status')
  })

  it('a sort order alone does not count as a filter', () => {
    expect([hasFilters({ sort: 'amount', q: '' }), hasFilters({ q: 'x' })]).toEqual([false, true])
    expect([hasFilters({}), hasFilters({ sort: 'amount', status: '', q: 'x' })]).toEqual([false, true])
  })
})
