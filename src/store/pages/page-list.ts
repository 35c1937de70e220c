// The list of pages in state.json: {"payments": "0-976@81204", "events": "12-40@80011, 42@81204"}.
import { isTableName, TABLE_NAMES, type TableName } from '../../engine/tables.ts'

/** The numbers of the pages with rows, each with its last journal line. */
export type PageList = Map<TableName, Map<number, number>>

/** For each table with pages, ranges of page numbers that have the same last journal line. */
export type PageListText = { readonly [T in TableName]?: string }

export function formatPageList(list: PageList): PageListText {
  const texts: { [T in TableName]?: string } = {}
  for (const table of TABLE_NAMES) {
    const pages = [...(list.get(table) ?? [])].sort(([a], [b]) => a - b)
    if (pages.length > 0) texts[table] = formatRuns(pages).join(', ')
  }
  return texts
}

/** @returns `undefined` if the value is not a page list */
export function parsePageList(value: unknown): PageList | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const list: PageList = new Map()
  for (const [table, text] of Object.entries(value)) {
    if (!isTableName(table) || !LIST.test(String(text))) return undefined
    const pages = new Map<number, number>()
    for (const run of String(text).split(', ')) {
      const [numbers = '', seq] = run.split('@')
      const [first = 0, last = first] = numbers.split('-').map(Number)
      for (let number = first; number <= last; number++) pages.set(number, Number(seq))
    }
    list.set(table, pages)
  }
  return list
}

const RUN = String.raw`\d{1,7}(-\d{1,7})?@\d{1,15}`
const LIST = new RegExp(`^${RUN}(, ${RUN})*$`)

function formatRuns(pages: readonly (readonly [number, number])[]): string[] {
  const texts: string[] = []
  for (let i = 0; i < pages.length; ) {
    const [first, seq] = pages[i] as readonly [number, number]
    let last = first
    while (pages[++i]?.[0] === last + 1 && pages[i]?.[1] === seq) last++
    texts.push(`${first === last ? first : `${first}-${last}`}@${seq}`)
  }
  return texts
}
