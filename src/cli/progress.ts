// A bar on stderr where somebody looks; nothing elsewhere.
import type { Output } from './output.ts'

export interface Progress {
  update(done: number): void
  stop(): void
}

const NONE: Progress = { update() {}, stop() {} }

export async function startProgress(out: Output, what: string, total: number): Promise<Progress> {
  if (!out.animate || total < 2) return NONE
  const { default: bars } = await import('cli-progress')
  const bar = new bars.SingleBar(
    { format: `{bar} {value}/{total} ${what}  {eta} s left`, hideCursor: true, clearOnComplete: true },
    bars.Presets.shades_classic,
  )
  bar.start(total, 0)
  return { update: (done) => bar.update(done), stop: () => bar.stop() }
}
