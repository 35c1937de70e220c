// Puts all temporary files of a run into one directory and removes it at the end, with the files of killed programs.
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { execa } from 'execa'

const NAME = /^psp-tests-(\d+)$/

// Linux keeps these files in memory, so no test waits for a disk.
const IN_MEMORY = '/dev/shm'

const ENOUGH_BYTES = 1024 ** 3

export default async function runFolder(): Promise<() => void> {
  const before = tmpdir()
  // Vitest calls this once for each project.
  if (NAME.test(basename(before))) return () => {}
  const outer = process.env['TMPDIR'] === undefined && (await isUsable(IN_MEMORY)) ? IN_MEMORY : before
  for (const name of readdirSync(outer)) {
    const pid = Number(name.match(NAME)?.[1])
    if (pid > 0 && !isRunning(pid)) remove(join(outer, name))
  }
  const folder = join(outer, `psp-tests-${process.pid}`)
  remove(folder)
  mkdirSync(folder)
  // Workers and the programs that they start use it through os.tmpdir().
  process.env['TMPDIR'] = folder
  return () => {
    process.env['TMPDIR'] = before
    remove(folder)
  }
}

/** A container may limit its size, and may not allow programs to run from it. */
async function isUsable(folder: string): Promise<boolean> {
  const program = join(folder, `psp-tests-probe-${process.pid}`)
  try {
    const { bavail, bsize } = statfsSync(folder)
    if (bavail * bsize < ENOUGH_BYTES) return false
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    await execa(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(program, { force: true })
  }
}

/** A run that was killed leaves its directory behind. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Retries, because programs may still be ending. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
