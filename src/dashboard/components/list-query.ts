// Filters and sorts rows by the parameters of the address: `q` is the search, `sort` a column, `-column` the reverse order,
// and every other parameter a filter.

export interface Filter<R> {
  readonly key: string
  readonly read: (row: R) => string
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
  const active = filters.filter(({ key }) => query[key])
  const matching =
    active.length === 0 ? rows : rows.filter((row) => active.every(({ key, read }) => read(row) === query[key]))
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
