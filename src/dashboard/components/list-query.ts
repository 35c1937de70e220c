// Filters and sorts rows by the parameters of the address. `sort` is a column, or `-column` for the reverse order.
// `from` and `to` are the first and the last day. Every other parameter is a filter, except `q`, the search, which the
// caller applies.

export interface Filter<R> {
  readonly key: string
  readonly read: (row: R) => string
  /** Fixed choices. Absent: the values of the rows. `date`: the days from `from` to `to`. */
  readonly choices?: readonly string[] | 'date'
}

export interface Sorting<R> {
  readonly key: string
  readonly compare: (a: R, b: R) => number
}

export function applyQuery<R>(
  rows: readonly R[],
  query: Readonly<Record<string, string>>,
  filters: readonly Filter<R>[],
  sortings: readonly Sorting<R>[],
): readonly R[] {
  const { from = '', to = '' } = query
  const active = filters.filter(({ key, choices }) => (choices === 'date' ? from || to : query[key]))
  const matches = (row: R) =>
    active.every(({ key, read, choices }) => {
      const value = read(row)
      return choices === 'date' ? value >= from && (to === '' || value <= to) : value === query[key]
    })
  const matching = active.length === 0 ? rows : rows.filter(matches)
  const sort = query['sort'] ?? ''
  const sorting = sortings.find(({ key }) => key === sort.replace(/^-/, ''))
  if (sorting === undefined) return matching
  const sorted = matching.toSorted(sorting.compare)
  return sort.startsWith('-') ? sorted.reverse() : sorted
}

/** Returns the next value of `sort` after a click on a column: ascending, descending, then the default order. */
export function nextSort(sort: string, key: string): string {
  if (sort === key) return `-${key}`
  return sort === `-${key}` ? '' : key
}

export function hasFilters(query: Readonly<Record<string, string>>): boolean {
  return Object.entries(query).some(([key, value]) => key !== 'sort' && value !== '')
}
