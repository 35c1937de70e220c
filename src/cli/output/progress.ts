// A bar on stderr where somebody looks; nothing elsewhere.
import type { Options, SingleBar } from 'cli-progress'
import type { Session } from '../session.ts'

export interface Progress {
  update(done: number): void
  stop(): void
}

const NONE: Progress = { update() {}, stop() {} }

/** A bar from none to `total`, with the time that is left. */
export async function startProgress(session: Session, what: string, total: number): Promise<Progress> {
  if (!session.out.animate || total < 2) return NONE
  return await start(session, { format: `{bar} {value}/{total} ${what}  {eta} s left` }, total)
}

/** The same of changes. Nobody waits for a command that a signal ends: how many are done is told at once. */
export async function startChanges(session: Session, what: string, total: number): Promise<Progress> {
  const progress = await startProgress(session, what, total)
  const { out, signals } = session
  let done = 0
  const ended = () => out.warn(`Ended: ${done} of ${total} ${what} done, others may be under way.`)
  signals.ended.addEventListener('abort', ended, { once: true })
  return {
    update(now) {
      done = now
      progress.update(now)
    },
    stop() {
      signals.ended.removeEventListener('abort', ended)
      progress.stop()
    },
  }
}

/** While work runs of which nobody tells how far it is: what it is, and how long it has taken. */
export async function whileWorking<T>(session: Session, what: string, work: () => Promise<T>): Promise<T> {
  const shown = session.out.animate ? await start(session, { format: `${what}  {duration} s` }, 1) : NONE
  try {
    return await work()
  } finally {
    shown.stop()
  }
}

async function start({ host, signals }: Session, options: Options, total: number): Promise<Progress> {
  const { default: bars } = await import('cli-progress')
  const bar: SingleBar = new bars.SingleBar(
    {
      ...options,
      // What it writes to is as narrow as what the program writes to.
      stream: host.stderr as unknown as NodeJS.WritableStream,
      hideCursor: true,
      clearOnComplete: true,
      formatValue: (value, _, type) => (type === 'value' || type === 'total' ? grouped(value) : String(value)),
    },
    bars.Presets.shades_classic,
  )
  const stop = () => bar.stop()
  // An interrupted command waits for nothing: its terminal gets the cursor back, and the bar does not hold the process.
  signals.ended.addEventListener('abort', stop, { once: true })
  bar.start(total, 0)
  return {
    update: (done) => bar.update(Math.min(done, total)),
    stop() {
      signals.ended.removeEventListener('abort', stop)
      stop()
    },
  }
}

/** 200 000: as money is written. */
function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ' ')
}
