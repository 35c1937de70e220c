// Reads the input of a command from a file, a pipe or stdin, until a signal interrupts it.
import { constants, createReadStream, fstatSync, openSync, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { isatty, ReadStream } from 'node:tty'
import { unlessAborted } from '../../domain/promises.ts'
import { usageError } from '../failure.ts'
import type { HostProcess } from '../host-process.ts'
import type { Signals } from '../process/signals.ts'
import { fileReason, resolvePath } from './files.ts'

export interface InputContext {
  readonly host: HostProcess
  readonly signals: Pick<Signals, 'ended'>
}

const MAX_BYTES = 256 * 1024 * 1024

/**
 * Returns the bytes of a file, or of stdin for `-`; nothing is trimmed or decoded.
 * @throws InterruptedError at the first signal; CliError (2) if the input cannot be read or is longer than `maxBytes`
 */
export async function readInput(path: string, context: InputContext, maxBytes = MAX_BYTES): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of openInput(path, context).pieces) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLong(path, maxBytes)
  }
  return Buffer.concat(chunks)
}

export interface Input {
  /** The size of a regular file in bytes. */
  readonly size: number | undefined
  /**
   * The content, which can be read once.
   * @throws InterruptedError at the first signal; CliError (2) if the input cannot be read
   */
  readonly pieces: AsyncIterable<Uint8Array>
  /** Returns whether a regular file was changed or removed after it was opened. */
  readonly isChanged: () => boolean
}

/**
 * Opens a file, or stdin for `-`, to be read in pieces.
 * @throws CliError (2) if it cannot be opened
 */
export function openInput(path: string, { host, signals }: InputContext): Input {
  // An empty path would name the working directory.
  if (path === '') throw usageError('The name of the file is empty.', 'Name a file, or - for stdin.')
  try {
    const { source, size, isChanged } =
      path === '-' ? withoutFile(host.stdin as Source) : openSource(resolvePath(host, path))
    return { size, isChanged, pieces: piecesOf(source, path, signals.ended) }
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function* piecesOf(source: Source, path: string, ended: AbortSignal): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (;;) {
      const next = await unlessAborted(pieces.next(), ended)
      isOver = next.done === true
      if (isOver) return
      yield next.value
    }
  } catch (error) {
    throw ended.aborted ? error : unreadable(path, error)
  } finally {
    if (!isOver) source.destroy?.()
  }
}

function unreadable(path: string, error: unknown): Error {
  return usageError(`${path} cannot be read: ${fileReason(error)}.`, 'Name a file, or - for stdin.')
}

type Source = AsyncIterable<Uint8Array> & { destroy?(): unknown }

interface Opened extends Omit<Input, 'pieces'> {
  readonly source: Source
}

const withoutFile = (source: Source): Opened => ({ source, size: undefined, isChanged: () => false })

/**
 * If a pipe without a writer were opened or read as a file, a thread would block and the process could not exit. So a
 * pipe is opened without blocking, and read like a socket.
 */
function openSource(path: string): Opened {
  // Windows has neither this flag nor pipes in directories.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  if (isatty(fd)) return withoutFile(new ReadStream(fd))
  const found = fstatSync(fd)
  if (found.isFIFO()) return withoutFile(new Socket({ fd, writable: false }))
  const source = createReadStream(path, { fd })
  if (!found.isFile()) return withoutFile(source)
  const isChanged = () => {
    const now = statSync(path, { throwIfNoEntry: false })
    return now?.size !== found.size || now.mtimeMs !== found.mtimeMs
  }
  return { source, size: found.size, isChanged }
}

function tooLong(path: string, maxBytes: number): Error {
  const name = path === '-' ? 'stdin' : path
  return usageError(
    `${name} is longer than ${maxBytes / 1024 / 1024} MiB.`,
    'Is it the right file? Nothing was changed.',
  )
}

/** Returns a file, or stdin for `-`, as text without a byte order mark. */
export async function readText(path: string, session: InputContext, maxBytes?: number): Promise<string> {
  return decoded(await readInput(path, session, maxBytes))
}

/** Decodes UTF-8, or UTF-16 after its byte order mark. PowerShell 5 redirects output as UTF-16. */
export function decoded(bytes: Buffer): string {
  return new TextDecoder(isUtf16(bytes) ? 'utf-16le' : 'utf-8').decode(bytes)
}

/** Converts the pieces to UTF-8 if they are UTF-16. */
export async function* asUtf8(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let isFirst = true
  for await (const piece of pieces) {
    if (isFirst && isUtf16(piece)) decoder = new TextDecoder('utf-16le')
    isFirst = false
    yield decoder === undefined ? piece : Buffer.from(decoder.decode(piece, { stream: true }))
  }
}

function isUtf16(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe
}
