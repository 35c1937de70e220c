// All file operations of the store. Tests replace them with operations that fail.
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from '../errors.ts'

/** `r+` reads and writes an existing file, `a` appends, `w` truncates, and `wx` fails if the file exists. */
type OpenFlags = 'r' | 'r+' | 'a' | 'w' | 'wx'

/** Methods that return no promise are synchronous. The default mode is 0600 for files and 0700 for directories. */
export interface FileSystemPort {
  open(path: string, flags: OpenFlags, mode?: number): number
  /** @returns the number of bytes written, possibly fewer than given */
  write(fd: number, bytes: Uint8Array): number
  sync(fd: number): void
  /** Makes the content, but not the file times, durable without blocking the event loop. */
  datasync(fd: number): Promise<void>
  /** Like `write`, without blocking the event loop. */
  writeAsync(fd: number, bytes: Uint8Array): Promise<number>
  /**
   * Reads into `bytes` without blocking the event loop.
   * @returns the number of bytes read, 0 at the end of the file
   */
  readAsync(fd: number, bytes: Uint8Array, position: number): Promise<number>
  truncate(fd: number, size: number): void
  /** Returns the status of a path or an open file, or `undefined` if the path does not exist. */
  stat(file: string | number): FileStat | undefined
  close(fd: number): void
  /** Returns the first `limit` bytes of a file (default: all), or `undefined` if it does not exist. */
  read(path: string, limit?: number): Buffer | undefined
  /** Reads up to `length` bytes of a file from `position`. Throws if the file does not exist. */
  readAt(path: string, position: number, length: number): Buffer
  /**
   * Returns the modification time of a file in ms, or `undefined` if the file does not exist. The time is by the clock
   * of the disk. So the times of two files in one directory can be compared even if the system clock is wrong.
   */
  modified(path: string): number | undefined
  /**
   * Overwrites a file in place if its content is `known`, and returns whether it did. On a full disk this often
   * succeeds if `bytes` is not much longer than `known`. Writing the same bytes also updates the modification time.
   */
  overwrite(path: string, known: Uint8Array, bytes: Uint8Array): boolean
  /** Returns the size in bytes, or 0 if the file does not exist. */
  size(path: string): number
  /** Returns the sorted names in a directory, or none if it does not exist. */
  list(folder: string): string[]
  rename(from: string, to: string): void
  /** Creates a hard link. Fails if the new name exists. */
  link(from: string, to: string): void
  /** Removes a file. A missing file is not an error. */
  remove(path: string): void
  makeFolder(path: string): void
  /** Removes an empty directory. Fails if it is not empty or does not exist. */
  removeFolder(path: string): void
  /** Removes a directory with all its content, if it exists. */
  removeTree(path: string): void
  /** Makes created, renamed and removed entries of a directory durable. */
  syncFolder(path: string): void
  /** Like `syncFolder`, without blocking the event loop. */
  syncFolderAsync(path: string): Promise<void>
}

export interface FileStat {
  /** Device and inode. A copy of a file or directory has a different id. */
  readonly id: string
  readonly size: number
}

export const nodeFileSystem: FileSystemPort = {
  open: (path, flags, mode = 0o600) => fs.openSync(path, flags, mode),
  write: (fd, bytes) => fs.writeSync(fd, bytes),
  sync: (fd) => fs.fsyncSync(fd),
  datasync: promisify(fs.fdatasync),
  writeAsync: async (fd, bytes) => (await promisify(fs.write)(fd, bytes)).bytesWritten,
  readAsync: async (fd, bytes, position) => (await promisify(fs.read)(fd, bytes, 0, bytes.length, position)).bytesRead,
  truncate: (fd, size) => fs.ftruncateSync(fd, size),
  stat,
  close: (fd) => fs.closeSync(fd),
  read: (path, limit) => unlessMissing(() => readWithPath(path, limit), undefined),
  readAt,
  modified: (path) => fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs,
  overwrite,
  size: (path) => fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0,
  list: (folder) => unlessMissing(() => fs.readdirSync(folder).sort(), []),
  rename: (from, to) => renameWithRetry(from, to),
  link: (from, to) => fs.linkSync(from, to),
  remove: (path) => unlessMissing(() => fs.unlinkSync(path), undefined),
  makeFolder,
  removeFolder: (path) => fs.rmdirSync(path),
  removeTree: (path) => fs.rmSync(path, { recursive: true, force: true }),
  async syncFolderAsync(path) {
    if (process.platform === 'win32') return
    const fd = fs.openSync(path, 'r')
    try {
      await promisify(fs.fsync)(fd)
    } finally {
      fs.closeSync(fd)
    }
  },
  syncFolder(path) {
    if (process.platform !== 'win32') withFile(nodeFileSystem, path, 'r', fs.fsyncSync)
  },
}

function stat(file: string | number): FileStat | undefined {
  const found =
    typeof file === 'number'
      ? fs.fstatSync(file, { bigint: true })
      : fs.statSync(file, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) return undefined
  return { id: `${found.dev}:${found.ino}`, size: Number(found.size) }
}

/** Creates parents one by one. Node's `recursive` never returns if a parent rejects new directories (`/proc`). */
function makeFolder(path: string): void {
  try {
    fs.mkdirSync(path, 0o700)
  } catch (error) {
    if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
    const parent = dirname(path)
    if (errorCode(error) !== 'ENOENT' || fs.existsSync(parent)) throw error
    makeFolder(parent)
    fs.mkdirSync(path, 0o700)
  }
}

/** Opens a file, passes its descriptor to `fn`, and closes the file. */
export function withFile<T>(port: FileSystemPort, path: string, flags: OpenFlags, fn: (fd: number) => T): T {
  const fd = port.open(path, flags)
  try {
    return fn(fd)
  } finally {
    port.close(fd)
  }
}

/** Writes all bytes, in as many calls as needed. */
export function writeAll(port: FileSystemPort, fd: number, bytes: Uint8Array): void {
  let rest = bytes
  for (;;) {
    const written = port.write(fd, rest)
    if (written >= rest.length) return
    if (written <= 0) throw Object.assign(new Error('no bytes could be written'), { code: 'EIO' })
    rest = rest.subarray(written)
  }
}

/** Runs work that may fail, such as a cleanup, and ignores its errors. */
export function ignoreErrors(fn: () => void): void {
  try {
    fn()
  } catch {}
}

/** Compares and writes through one descriptor, because another process may replace the file in between. */
function overwrite(path: string, known: Uint8Array, bytes: Uint8Array): boolean {
  return withFile(nodeFileSystem, path, 'r+', (fd) => {
    if (!fs.readFileSync(fd).equals(known)) return false
    fs.writeSync(fd, bytes, 0, bytes.length, 0)
    fs.ftruncateSync(fd, bytes.length)
    return true
  })
}

/** Adds the path to an error, because Node adds it only to errors of `open`. */
function readWithPath(path: string, limit: number | undefined): Buffer {
  try {
    return limit === undefined ? fs.readFileSync(path) : readAt(path, 0, limit)
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { path }) : error
  }
}

function readAt(path: string, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return withFile(nodeFileSystem, path, 'r', (fd) => bytes.subarray(0, fs.readSync(fd, bytes, 0, length, position)))
}

function unlessMissing<T, U>(fn: () => T, missing: U): T | U {
  try {
    return fn()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return missing
    throw error
  }
}

/** Error codes on Windows if a virus scanner, an indexer or an editor has the target open. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY']
const ATTEMPTS = 20

/** Renames a file. Retries for half a second, because on Windows another program may briefly have the target open. */
export function renameWithRetry(
  from: string,
  to: string,
  { rename = fs.renameSync, platform = process.platform as string, pause = pause25ms } = {},
): void {
  for (let attempt = 1; ; attempt++) {
    try {
      rename(from, to)
      return
    } catch (error) {
      const isInUse = platform === 'win32' && IN_USE.includes(errorCode(error) ?? '')
      if (!isInUse || attempt === ATTEMPTS) throw error
      pause()
    }
  }
}

function pause25ms(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25)
}
