// All temporary files of a run are in one folder, which goes with it: also those of programs that a test killed.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const NAME = /^psp-tests-(\d+)$/

export default function runFolder(): () => void {
  const outer = tmpdir()
  // Each project asks.
  if (NAME.test(basename(outer))) return () => {}
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
    process.env['TMPDIR'] = outer
    remove(folder)
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
