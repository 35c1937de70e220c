// What a kill leaves in a data folder.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A checkpoint that was cut short leaves a sealed journal, or a half-written file. */
export function wasInCheckpoint(folder) {
  const names = readdirSync(folder, { recursive: true })
  return names.filter((name) => name.endsWith('.ndjson')).length > 1 || names.some((name) => name.endsWith('.json.tmp'))
}

/** True while the process holds the folder: it has begun to recover it, or is through. */
export function holdsFolder(folder, pid) {
  try {
    return JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')).pid === pid
  } catch {
    return false
  }
}
