// The child and all that it starts, as one process group: signals reach all of them, and none of them outlives the command.
import { execa } from 'execa'
import type { WallClock } from '../../../time/wall.ts'

export interface ProcessGroup {
  signal(name: NodeJS.Signals): void
  /** What the child left running is asked to end, and made to after two seconds. */
  end(): Promise<void>
}

/** ms between asking and making. */
const GRACE = 2000
const PAUSE = 20

/** @param leader the process that was started `detached`: its id is the group's */
export function processGroup(leader: number, wall: Pick<WallClock, 'setTimeout' | 'monotonic'>): ProcessGroup {
  const watchdog = watch(leader)

  function signal(name: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(-leader, name)
    } catch {
      // Nobody is left.
      return false
    }
  }

  return {
    signal: (name) => void signal(name),
    async end() {
      const late = wall.monotonic() + GRACE
      let left = signal('SIGTERM')
      while (left && wall.monotonic() < late) {
        await new Promise<void>((done) => void wall.setTimeout(done, PAUSE))
        left = signal(0)
      }
      if (left) signal('SIGKILL')
      watchdog.release()
    },
  }
}

/** Nothing else notices when this process is killed: the pipe ends without a word, and the group is ended. */
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
