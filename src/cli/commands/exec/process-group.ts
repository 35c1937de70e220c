// Runs the child and its descendants as one process group, so that signals reach all of them and none outlives the command.
import { execa } from 'execa'
import type { SystemClock } from '../../../system-clock/system-clock.ts'

export interface ProcessGroup {
  signal(name: NodeJS.Signals): void
  /** Asks the remaining processes to end, and kills them after 2 s. */
  end(): Promise<void>
}

/** ms between the request to end and the kill. */
const GRACE = 2000
const PAUSE = 20

/** @param leader pid of the `detached` process, which is also the id of the group */
export function processGroup(leader: number, systemClock: Pick<SystemClock, 'setTimeout' | 'monotonic'>): ProcessGroup {
  const watchdog = watch(leader)

  function signal(name: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(-leader, name)
    } catch {
      // All processes have exited.
      return false
    }
  }

  return {
    signal: (name) => void signal(name),
    async end() {
      const late = systemClock.monotonic() + GRACE
      let left = signal('SIGTERM')
      while (left && systemClock.monotonic() < late) {
        await new Promise<void>((done) => void systemClock.setTimeout(done, PAUSE))
        left = signal(0)
      }
      if (left) signal('SIGKILL')
      watchdog.release()
    },
  }
}

/** Ends the group if this process is killed. The watcher detects that by the end of its pipe. */
const WATCH = `trap '' INT TERM HUP
read -r over || { kill -s TERM -- "-$1"; sleep 2; kill -s KILL -- "-$1"; }`

function watch(leader: number): { release(): void } {
  const shell = execa('sh', ['-c', WATCH, 'sh', String(leader)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    reject: false,
  })
  shell.stdin.on('error', () => {})
  return { release: () => void shell.stdin.end('over\n') }
}
