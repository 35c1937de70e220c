// What the user names as input: a file, a pipe, or stdin. Read while signals are heard, and to a limit: `/dev/zero` has no end.
import { constants, createReadStream, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { isatty, ReadStream } from 'node:tty'
import { usage } from '../failure.ts'
import type { Host } from '../host.ts'
import type { Signals } from '../process/signals.ts'
import { fileReason } from './file-reason.ts'
import { namedPath } from './named-path.ts'

/** What a session holds of the process. */
export interface Listening {
  readonly host: Host
  readonly signals: Pick<Signals, 'ended'>
}

/** Bytes of an input, where its purpose sets no other limit. */
const LONGEST_INPUT = 256 * 1024 * 1024

/**
 * The bytes of a file, or of stdin for `-`; nothing is trimmed or decoded.
 * @throws Interrupted at the first signal, CliError (2) where it cannot be read or is longer than `most` bytes
 */
export async function readInput(path: string, { host, signals }: Listening, most = LONGEST_INPUT): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const interrupted = interruption(signals.ended)
  let source: Source | undefined
  try {
    source = path === '-' ? host.stdin : opened(namedPath(host, path))
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
 * A pipe to which nobody writes yet would hold a thread while it is opened, and read from as a file; no process can end
 * before that. Opened without waiting, it is watched like a socket.
 */
function opened(path: string): Source {
  // Windows knows no such way, and no pipes in folders.
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
  return usage(`${name} is longer than ${most / 1024 / 1024} MiB.`, 'Is it the right file? Nothing was done with it.')
}
