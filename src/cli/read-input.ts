// What the user names as input: a file, a pipe, or stdin. Read while signals are heard, and to a limit: `/dev/zero` has no end.
import { createReadStream } from 'node:fs'
import { usage } from './failure.ts'
import { fileReason } from './file-reason.ts'
import { namedPath } from './named-path.ts'
import type { Session } from './session.ts'

/** Bytes of an input, where its purpose sets no other limit. */
const LONGEST_INPUT = 256 * 1024 * 1024

/**
 * The bytes of a file, or of stdin for `-`; nothing is trimmed or decoded.
 * @throws Interrupted at the first signal, CliError (2) where it cannot be read or is longer than `most` bytes
 */
export async function readInput(
  path: string,
  { host, signals }: Pick<Session, 'host' | 'signals'>,
  most = LONGEST_INPUT,
): Promise<Buffer> {
  const source = path === '-' ? host.stdin : createReadStream(namedPath(host, path))
  const chunks: Uint8Array[] = []
  let bytes = 0
  const pieces = source[Symbol.asyncIterator]()
  const interrupted = interruption(signals.ended)
  try {
    for (;;) {
      const next = await Promise.race([pieces.next(), interrupted.happened])
      if (next.done === true) return Buffer.concat(chunks)
      chunks.push(next.value)
      bytes += next.value.byteLength
      if (bytes > most) throw tooLong(path, most)
    }
  } catch (error) {
    // Not waited for: the opening of a pipe ends when somebody writes to it.
    pieces.return?.(undefined).catch(() => {})
    if (signals.ended.aborted || (error as Error).name === 'CliError') throw error
    throw usage(`${path} cannot be read: ${fileReason(error)}.`, 'Name a file, or - for stdin.')
  } finally {
    interrupted.forget()
  }
}

function interruption(signal: AbortSignal): { readonly happened: Promise<never>; forget(): void } {
  let forget = () => {}
  const happened = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    forget = () => signal.removeEventListener('abort', stop)
  })
  happened.catch(() => {})
  return { happened, forget }
}

function tooLong(path: string, most: number): Error {
  const name = path === '-' ? 'stdin' : path
  return usage(`${name} is longer than ${most / 1024 / 1024} MiB.`, 'Is it the right file? Nothing was done with it.')
}
