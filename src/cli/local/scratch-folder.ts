// Folders that a command needs while it runs. One that was killed leaves its own behind: the next of its kind removes it.
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../store/folder/process-identity.ts'

export interface ScratchFolder {
  readonly path: string
  remove(): void
}

/** `psp-exec-<pid>-…` below the system's temporary folder. @throws what the system says where there is no room */
export function scratchFolder(kind: 'exec' | 'dry-run', pid: number): ScratchFolder {
  removeStale(`psp-${kind}-`)
  const path = mkdtempSync(join(tmpdir(), `psp-${kind}-${pid}-`))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Only folders, only this user's, only with the number of a process that is no more. */
function removeStale(prefix: string): void {
  for (const name of namesIn(tmpdir())) {
    const pid = name.startsWith(prefix) ? /^(\d+)-\w{6}$/.exec(name.slice(prefix.length))?.[1] : undefined
    if (pid === undefined || isAlive(Number(pid), undefined)) continue
    const path = join(tmpdir(), name)
    try {
      const found = lstatSync(path)
      if (found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)) rmSync(path, { recursive: true })
    } catch {
      // Another command was quicker, or may not: nothing depends on it.
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
