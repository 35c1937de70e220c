// Reads the input of a command from a file, a pipe or stdin. Signals interrupt it, and its size is limited.
import { constants, createReadStream, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { isatty, ReadStream } from 'node:tty'
import { usage } from '../failure.ts'
import type { Host } from '../host.ts'
import type { Signals } from '../process/signals.ts'
import { fileReason } from './file-reason.ts'
import { namedPath } from './named-path.ts'

/** The part of a session that reading needs. */
export interface InputContext {
  readonly host: Host
  readonly signals: Pick<Signals, 'ended'>
}

/** Default limit, in bytes. */
const LONGEST_INPUT = 256 * 1024 * 1024

/**
 * Returns the bytes of a file, or of stdin for `-`; nothing is trimmed or decoded.
 * @throws Interrupted at the first signal, CliError (2) if it cannot be read or is longer than `most` bytes
 */
export async function readInput(path: string, { host, signals }: InputContext, most = LONGEST_INPUT): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const interrupted = interruption(signals.ended)
  let source: Source | undefined
  try {
    source = path === '-' ? host.stdin : openSource(namedPath(host, path))
    const pieces = source[Symbol.asyncIterator]()
    for (;;) {
      const next = await Promise.race([pieces.next(), interrupted.happened])
      if (next.done === true) return Buffer.concat(chunks)
      chunks.push(next.value)
      bytes += next.value.byteLength
      if (bytes > most) throw tooLong(path, most)
    }
  } catch (error) {
    source?.destroy?.()
    if (signals.ended.aborted || (error as Error).name === 'CliError') throw error
    throw usage(`${path} cannot be read: ${fileReason(error)}.`, 'Name a file, or - for stdin.')
  } finally {
    interrupted.forget()
  }
}

type Source = AsyncIterable<Uint8Array> & { destroy?(): unknown }

/**
 * Opening or reading a pipe without a writer as a file would block a thread, and the process could not exit. So it is
 * opened without blocking and read like a socket.
 */
function openSource(path: string): Source {
  // Windows has neither this flag nor pipes in directories.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  if (isatty(fd)) return new ReadStream(fd)
  return fstatSync(fd).isFIFO() ? new Socket({ fd, writable: false }) : createReadStream(path, { fd })
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
  return usage(`${name} is longer than ${most / 1024 / 1024} MiB.`, 'Is it the right file? Nothing was changed.')
}
