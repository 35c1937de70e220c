// What becomes of a command whose output cannot be written: nobody reads any more, the disk is full, the terminal is gone.
import { EXIT_CODES } from '../exit-codes.ts'
import type { Host } from '../host.ts'
import { fileReason } from '../input/file-reason.ts'
import type { Output } from './output.ts'

/**
 * Where stdout is what was asked for, its end is the command's: quietly after `| head`, told after a full disk. Where it is a
 * log beside the work, the work goes on; each line is tried again, and the loss told once.
 */
export function watchStreams(host: Host, output: () => Output, end: (code: number) => void): void {
  let told = false
  let ending = false
  host.stderr.on('error', () => {})
  host.stdout.on('error', (error) => {
    const out = output()
    const unread = error.code === 'EPIPE'
    if (out.isLog()) {
      if (!told && !unread)
        out.warn(`stdout cannot be written: ${fileReason(error)}. This goes on without those lines.`)
      told = true
      return
    }
    if (ending) return
    ending = true
    if (!unread) out.failure(error)
    end(unread ? EXIT_CODES.done : EXIT_CODES.failed)
  })
}
