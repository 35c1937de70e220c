// Identifies a process by more than its pid, because the system reuses pids.
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { errorCode } from '../errors.ts'

/** Returns the boot id and the start tick of a process, or `undefined` without `/proc` or if it is dead. */
export function processStartId(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The start tick is field 22. Field 2, the program name, may contain spaces and brackets, so count after it.
    const tick = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${bootId()}:${tick}`
  } catch {
    return undefined
  }
}

/** Returns an id of the PID namespace, within which pids have the same meaning. Without `/proc`: the host name. */
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
 * Returns whether the process is alive. A later process with the same pid does not count.
 * @param startId see `processStartId`
 * @param seenAt a time at which the process was alive, in ms. If the start ids cannot be compared, a process that
 *   started later does not count.
 */
export function isAlive(pid: number, startId: string | undefined, seenAt?: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false
  }
  const currentId = processStartId(pid)
  if (startId !== undefined && currentId !== undefined) return currentId === startId
  if (seenAt === undefined || pid === process.pid) return true
  const startTime = processStartTime(pid)
  return startTime === undefined || startTime <= seenAt + CLOCK_TOLERANCE
}

/** In ms. The system clock may have been adjusted, and `ps` prints whole seconds. */
const CLOCK_TOLERANCE = 5000

/** Returns the start time of a process in ms, from the output of `ps`. This is for systems without `/proc`. */
export function processStartTime(pid: number): number | undefined {
  if (process.platform === 'win32') return undefined
  try {
    // A static import would add 2 ms to each start.
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    const env = { ...process.env, LC_ALL: 'C' }
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { env, encoding: 'utf8', stdio: 'pipe' })
    const ms = Date.parse(text.trim())
    return Number.isNaN(ms) ? undefined : ms
  } catch {
    return undefined
  }
}
