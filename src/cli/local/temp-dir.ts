// Temporary directories of commands. If a command was killed, the next one of the same kind removes its directory.
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../store/folder/process-identity.ts'

export interface TempDir {
  readonly path: string
  remove(): void
}

/**
 * Creates `psp-<kind>-<pid>-…` in the temporary directory of the system.
 * @throws the system error
 */
export function createTempDir(kind: 'exec' | 'dry-run' | 'compare', pid: number): TempDir {
  removeStale(`psp-${kind}-`)
  const path = mkdtempSync(join(tmpdir(), `psp-${kind}-${pid}-`))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Removes directories of this user whose process has exited. */
function removeStale(prefix: string): void {
  for (const name of namesIn(tmpdir())) {
    const pid = name.startsWith(prefix) ? /^(\d+)-\w{6}$/.exec(name.slice(prefix.length))?.[1] : undefined
    if (pid === undefined || isAlive(Number(pid), undefined)) continue
    const path = join(tmpdir(), name)
    try {
      const found = lstatSync(path)
      if (found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)) rmSync(path, { recursive: true })
    } catch {
      // Another command has removed it, or this user may not remove it. Nothing depends on the removal.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
