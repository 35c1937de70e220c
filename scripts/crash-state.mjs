// Inspects a data directory after a kill.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns true if a checkpoint was interrupted: it leaves a sealed journal or a partially written file. */
export function wasInCheckpoint(folder) {
  const names = readdirSync(folder, { recursive: true })
  return names.filter((name) => name.endsWith('.ndjson')).length > 1 || names.some((name) => name.endsWith('.json.tmp'))
}

/** Returns true if the process has locked the directory, so that it is in recovery or done with it. */
export function ownsDirectory(folder, pid) {
  try {
    return JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')).pid === pid
  } catch {
    return false
  }
}
