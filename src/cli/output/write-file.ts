// Writes files that users name; `-` is stdout. An existing file is replaced when the new one is complete and synced to
// the disk, unless it can only be written in place.
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  createWriteStream,
  lstatSync,
  openSync,
  statSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { dirname, resolve } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pause } from '../../domain/promises.ts'
import type { Timers } from '../../domain/time.ts'
import { errorCode } from '../../store/errors.ts'
import { type AtomicFile, createAtomicFile } from '../../store/folder/atomic-file.ts'
import { type FileSystemPort, ignoreErrors, nodeFileSystem } from '../../store/folder/file-system.ts'
import { createSystemClock } from '../../system-clock/system-clock.ts'
import { CliError } from '../failure.ts'
import { fileReason, isDescriptor, resolvePath, writtenPath } from '../input/files.ts'
import type { Session } from '../session.ts'
import { removeStaleFiles, temporaryPath } from './temporary-file.ts'

/** @returns the absolute path; `undefined` for stdout */
export async function writeOutput(
  file: string,
  text: string,
  session: Session,
  options: WriteOptions = { signal: session.signals.ended },
): Promise<string | undefined> {
  if (file === '-') {
    session.out.text(text)
    return undefined
  }
  const path = resolvePath(session.host, file)
  await writeNamed(file, path, text, options)
  return path
}

/**
 * @param file the name that the user gave
 * @throws CliError with the reason
 */
export async function writeNamed(
  file: string,
  path: string,
  content: FileContent,
  options: WriteOptions,
): Promise<void> {
  try {
    await writeFile(path, content, options)
  } catch (error) {
    if (options.signal?.aborted === true) throw options.signal.reason
    throw notWritten(file, error)
  }
}

export function notWritten(file: string, error: unknown): CliError {
  return new CliError('failed', `${file} cannot be written: ${fileReason(error)}.`, 'Name another file.')
}

export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>

export interface WriteOptions {
  /** Only this user may read a new file. An existing file keeps its mode. */
  readonly secret?: boolean
  /** Aborts the write and discards the new content. */
  readonly signal?: AbortSignal
  readonly port?: FileSystemPort
  /** The timer between the attempts to open a pipe. */
  readonly timers?: Timers
}

/**
 * Writes a file, or the target of a link. Pipes, devices, and existing files in a folder without write permission are
 * written in place.
 * @throws the system error
 */
export async function writeFile(path: string, content: FileContent, options: WriteOptions = {}): Promise<void> {
  const { secret = false, signal, port = nodeFileSystem } = options
  const target = targetOf(path)
  const file = target.inPlace ? undefined : replacementOf(target, port, secret)
  if (file === undefined) {
    await pipeline(Readable.from(chunksOf(content)), await openInPlace(target.path, options), { signal })
    return
  }
  // A second signal ends the process at once.
  process.once('exit', file.discard)
  try {
    for await (const chunk of chunksOf(content)) {
      signal?.throwIfAborted()
      file.write(chunk)
    }
    signal?.throwIfAborted()
    file.commit()
    ignoreErrors(() => port.syncFolder(dirname(target.path)))
  } finally {
    file.discard()
    process.off('exit', file.discard)
  }
}

/** ms between the attempts to open a pipe. */
const OPEN_PAUSE = 50

/**
 * Opens a file, a pipe or a device to write in place. If a pipe has no reader, an ordinary open would block a thread,
 * and the process could not exit. So a pipe is opened as soon as it has a reader, and written like a socket.
 */
async function openInPlace(
  path: string,
  { signal, timers = createSystemClock() }: Pick<WriteOptions, 'signal' | 'timers'>,
): Promise<Writable> {
  if (!statSync(path).isFIFO()) return createWriteStream(path)
  for (;;) {
    signal?.throwIfAborted()
    try {
      return new Socket({ fd: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK), readable: false })
    } catch (error) {
      if (errorCode(error) !== 'ENXIO') throw error
    }
    await pause(OPEN_PAUSE, timers, signal)
  }
}

/**
 * Checks that `writeNamed` can write, before long work starts.
 * @param file the name that the user gave
 * @throws CliError with the reason
 */
export function requireWritableFile(file: string, host: Session['host']): void {
  try {
    requireWritable(resolvePath(host, file))
  } catch (error) {
    throw notWritten(file, error)
  }
}

/**
 * Checks that `writeFile` can write, before long work starts.
 * @throws the system error
 */
export function requireWritable(path: string): void {
  const target = targetOf(path)
  const file = target.inPlace ? undefined : replacementOf(target, nodeFileSystem, true)
  if (file === undefined) accessSync(target.path, constants.W_OK)
  else file.discard()
}

interface WriteTarget {
  /** The path with all links resolved. */
  readonly path: string
  /** Mode of the existing file. */
  readonly mode: number | undefined
  /** True for a pipe, a device or a descriptor, which no new file can replace. */
  readonly inPlace: boolean
}

function targetOf(name: string): WriteTarget {
  const path = writtenPath(resolve(name))
  // The target of `/dev/stdout` must not be replaced, because the shell may continue to write to it.
  if (isDescriptor(path)) return { path, mode: undefined, inPlace: true }
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return { path, mode: undefined, inPlace: false }
  if (found.isDirectory()) throw systemError('EISDIR', 'illegal operation on a directory', path)
  if (found.isSymbolicLink()) throw systemError('ELOOP', 'too many symbolic links', path)
  return { path, mode: found.mode & 0o7777, inPlace: !found.isFile() }
}

/** Error codes if no file can be created in a directory. An existing file in it may still be writable. */
const READ_ONLY_CODES = ['EACCES', 'EPERM', 'EROFS']
/** Error codes if the file is a mount point, as in containers. */
const MOUNT_CODES = ['EBUSY', 'EXDEV']
/** Error codes if an existing file can only be written in place. */
export const IN_PLACE_CODES = [...READ_ONLY_CODES, ...MOUNT_CODES]

/** @returns `undefined` if the file can only be written in place */
function replacementOf({ path, mode }: WriteTarget, port: FileSystemPort, secret: boolean): AtomicFile | undefined {
  const temporary = temporaryPath(path)
  let file: AtomicFile
  try {
    // A killed process may have had the same pid.
    port.remove(temporary)
    const rename = mode === undefined ? port.rename : renameWithMode(port, mode)
    // Other users may not be allowed to read the existing file, whose mode the new file gets just before the rename.
    const isPrivate = secret || mode !== undefined
    file = createAtomicFile({ ...port, rename }, path, temporary, { flags: 'wx', mode: isPrivate ? 0o600 : 0o666 })
  } catch (error) {
    if (mode !== undefined && READ_ONLY_CODES.includes(errorCode(error) ?? '')) return undefined
    throw error
  }
  removeStaleFiles(port, path, temporary)
  return file
}

/** Keeps the mode of the existing file. If that file is a mount point, copies the content instead of renaming. */
function renameWithMode(port: FileSystemPort, mode: number): FileSystemPort['rename'] {
  return (from, to) => {
    // Some file systems do not support modes.
    ignoreErrors(() => chmodSync(from, mode))
    try {
      port.rename(from, to)
    } catch (error) {
      if (!MOUNT_CODES.includes(errorCode(error) ?? '')) throw error
      copyFileSync(from, to)
      port.remove(from)
    }
  }
}

async function* chunksOf(content: FileContent): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield Buffer.from(content)
  else if (content instanceof Uint8Array) yield content
  else yield* content
}

function systemError(code: string, text: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${text}, '${path}'`), { code, path })
}
