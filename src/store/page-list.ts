// Which pages a folder has, as state.json lists them: {"payments": "0-976", "events": "12-40, 42"}.
import { TABLE_NAMES, type TableName } from '../engine/tables.ts'

/** Numbers of the pages that hold rows. */
export type PageList = ReadonlyMap<TableName, ReadonlySet<number>>

/** By table, runs of page numbers; a table without pages is not named. */
export type PageListText = { readonly [T in TableName]?: string }

export function formatPageList(list: PageList): PageListText {
  const texts: { [T in TableName]?: string } = {}
  for (const table of TABLE_NAMES) {
    const numbers = [...(list.get(table) ?? [])].sort((a, b) => a - b)
    if (numbers.length > 0) texts[table] = runs(numbers).join(', ')
  }
  return texts
}

/** @returns `undefined` for anything that is no such list */
export function parsePageList(value: unknown): Map<TableName, Set<number>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const list = new Map<TableName, Set<number>>()
  for (const [table, text] of Object.entries(value)) {
    if (
      !TABLE_NAMES.includes(table as TableName) ||
      !/^\d{1,9}(-\d{1,9})?(, \d{1,9}(-\d{1,9})?)*$/.test(String(text))
    ) {
      return undefined
    }
    const numbers = new Set<number>()
    for (const run of String(text).split(', ')) {
      const [first = 0, last = first] = run.split('-').map(Number)
      for (let number = first; number <= last; number++) numbers.add(number)
    }
    list.set(table as TableName, numbers)
  }
  return list
}

function runs(numbers: readonly number[]): string[] {
  const texts: string[] = []
  for (let i = 0; i < numbers.length; ) {
    const first = numbers[i] as number
    let last = first
    while (numbers[++i] === last + 1) last++
    texts.push(first === last ? String(first) : `${first}-${last}`)
  }
  return texts
}
