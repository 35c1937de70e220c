import { useMemo } from 'preact/hooks'
import { useStore } from './store.ts'

/** Returns the rows whose text contains each word of the search. */
export function useSearch<R>(rows: readonly R[], textOf: (row: R) => readonly unknown[]): readonly R[] {
  const search = (useStore().app.route.query['q'] ?? '').toLowerCase()
  return useMemo(() => {
    const words = search.split(/\s+/).filter(Boolean)
    if (words.length === 0) return rows
    return rows.filter((row) => {
      const text = textOf(row).join(' ').toLowerCase()
      return words.every((word) => text.includes(word))
    })
  }, [rows, search])
}
