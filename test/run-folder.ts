// All temporary files of a run are in one folder, which goes with it: also those of programs that a test killed.
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { execa } from 'execa'

const NAME = /^psp-tests-(\d+)$/

// Linux keeps its files in memory: no test waits for a disk.
const IN_MEMORY = '/dev/shm'

const ENOUGH_BYTES = 1024 ** 3

export default async function runFolder(): Promise<() => void> {
  const before = tmpdir()
  // Each project asks.
  if (NAME.test(basename(before))) return () => {}
  const outer = process.env['TMPDIR'] === undefined && (await suits(IN_MEMORY)) ? IN_MEMORY : before
  for (const name of readdirSync(outer)) {
    const pid = Number(name.match(NAME)?.[1])
    if (pid > 0 && !isRunning(pid)) remove(join(outer, name))
  }
  const folder = join(outer, `psp-tests-${process.pid}`)
  remove(folder)
  mkdirSync(folder)
  // os.tmpdir() of the workers, and of what they start.
  process.env['TMPDIR'] = folder
  return () => {
    process.env['TMPDIR'] = before
    remove(folder)
  }
}

/** Containers give little memory to it, and may start no programs from it. */
async function suits(folder: string): Promise<boolean> {
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

/** A run that was killed left its folder behind. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Programs may still be ending. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
