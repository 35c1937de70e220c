// Who a process is, beyond its number: numbers are used again.
import { readFileSync } from 'node:fs'
import { errorCode } from './errors.ts'

/** Boot and start tick of a process, where the system tells (`/proc`); `undefined` elsewhere and for a dead one. */
export function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program may hold blanks and brackets; field 22 is counted from its end.
    const tick = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return `${boot}:${tick}`
  } catch {
    return undefined
  }
}

/** True when a process with this number lives and, where the system tells, is the one that started then. */
export function isAlive(pid: number, start: string | undefined): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false
  }
  const now = processStart(pid)
  return start === undefined || now === undefined || now === start
}
