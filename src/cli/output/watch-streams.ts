// Handles failed writes to stdout: its reader has exited, the disk is full or the terminal is closed.
import { EXIT_CODES } from '../exit-codes.ts'
import type { Host } from '../host.ts'
import { fileReason } from '../input/file-reason.ts'
import type { Output } from './output.ts'

/**
 * Ends the command if stdout is its result: silently after `| head`, with an error after a full disk. If stdout is only a
 * log, the command continues and warns once.
 */
export function watchStreams(host: Host, output: () => Output, end: (code: number) => void): void {
  let warned = false
  let ending = false
  host.stderr.on('error', () => {})
  host.stdout.on('error', (error) => {
    const out = output()
    const unread = error.code === 'EPIPE'
    if (out.isLog()) {
      if (!warned && !unread)
        out.warn(`stdout cannot be written: ${fileReason(error)}. The command continues without this output.`)
      warned = true
      return
    }
    if (ending) return
    ending = true
    if (!unread) out.failure(error)
    end(unread ? EXIT_CODES.done : EXIT_CODES.failed)
  })
}
