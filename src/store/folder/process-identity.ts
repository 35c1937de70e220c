// Who a process is, beyond its number: numbers are used again.
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { errorCode } from '../errors.ts'

/** Boot and start tick of a process, where the system tells (`/proc`); `undefined` elsewhere and for a dead one. */
export function processStartId(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program may hold blanks and brackets; field 22 is counted from its end.
    const tick = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${bootId()}:${tick}`
  } catch {
    return undefined
  }
}

/**
 * Where process numbers mean the same: the kernel's boot and the PID namespace on Linux (each container has one), else
 * the name of the machine.
 */
export function pidNamespace(): string {
  try {
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
}

/**
 * True when a process with this number lives and is the one meant: by the tick it started at, where that is known, else
 * by having been there at `seen` (wall clock, ms).
 */
export function isAlive(pid: number, start: string | undefined, seen?: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false
  }
  const now = processStartId(pid)
  if (start !== undefined && now !== undefined) return now === start
  if (seen === undefined || pid === process.pid) return true
  const began = processStartTime(pid)
  return began === undefined || began <= seen + CLOCK_TOLERANCE
}

/** The clock may have been set since; `ps` tells whole seconds. */
const CLOCK_TOLERANCE = 5000

/** When a process started (wall clock, ms), where `ps` tells: for systems without `/proc`. */
export function processStartTime(pid: number): number | undefined {
  if (process.platform === 'win32') return undefined
  try {
    // Loaded where it is needed: it costs each start 2 ms.
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    const env = { ...process.env, LC_ALL: 'C' }
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { env, encoding: 'utf8', stdio: 'pipe' })
    const ms = Date.parse(text.trim())
    return Number.isNaN(ms) ? undefined : ms
  } catch {
    return undefined
  }
}
