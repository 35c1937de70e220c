// Replaces names in an entry of a recording that only a later entry showed to be names.
import type { HarEntry } from './har.ts'
import type { Masking } from './masking.ts'

/** Returns the same object if nothing changes. */
export function withKnownNames(entry: HarEntry, masking: Pick<Masking, 'known'>): HarEntry {
  const changed = edited(entry, masking.known) as HarEntry
  return JSON.stringify(changed) === JSON.stringify(entry) ? entry : changed
}

/** Edits all texts of a value. */
function edited(value: unknown, edit: (text: string) => string): unknown {
  if (typeof value === 'string') return edit(value)
  if (Array.isArray(value)) return value.map((item) => edited(item, edit))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, edited(item, edit)]))
}
