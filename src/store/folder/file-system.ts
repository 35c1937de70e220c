// Everything the store asks of a disk. Tests put a failing one in its place.
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../errors.ts'
import { renameWithRetry } from './rename-with-retry.ts'

/** Synchronous but for `datasync`; files are made 0600 if no mode is given, folders 0700. */
export interface FileSystemPort {
  /** `a` appends, `w` starts anew, `wx` fails when the file is there. */
  open(path: string, flags: 'r' | 'a' | 'w' | 'wx', mode?: number): number
  /** @returns how many bytes were taken, maybe fewer than given */
  write(fd: number, bytes: Uint8Array): number
  sync(fd: number): void
  /** Makes the bytes, not the dates, durable without stopping the event loop. */
  datasync(fd: number): Promise<void>
  /** Without stopping the event loop. @returns how many bytes were taken, maybe fewer than given */
  writeAside(fd: number, bytes: Uint8Array): Promise<number>
  /** Without stopping the event loop. @returns how many bytes were read into `bytes`; 0 at the end of the file */
  readAside(fd: number, bytes: Uint8Array, position: number): Promise<number>
  truncate(fd: number, size: number): void
  /** Of a path or an open file; `undefined` if there is none of the name. */
  stat(file: string | number): FileStat | undefined
  close(fd: number): void
  /** `undefined` when there is no such file. @param most bytes from its beginning; absent: all */
  read(path: string, most?: number): Buffer | undefined
  /** Reads up to `length` bytes of a file from `position`. @throws what the disk said if there is no such file */
  readAt(path: string, position: number, length: number): Buffer
  /**
   * When a file was written last, by the clock of its disk (ms); `undefined` when there is none. Two files of a folder
   * tell how long ago, whatever time the machine has.
   */
  modified(path: string): number | undefined
  /**
   * Writes over a file, in place: that takes no room on a full disk where `bytes` are not many more. With the same bytes,
   * `modified` is now. A file that does not hold `known` is let be. @returns whether it did
   */
  overwrite(path: string, known: Uint8Array, bytes: Uint8Array): boolean
  /** Bytes; 0 when there is no such file. */
  size(path: string): number
  /** Names in a folder, sorted; none when it does not exist. */
  list(folder: string): string[]
  rename(from: string, to: string): void
  /** A second name for a file; fails when the name is taken. */
  link(from: string, to: string): void
  /** Also when there is nothing to remove. */
  remove(path: string): void
  makeFolder(path: string): void
  /** Fails if the folder holds anything, or does not exist. */
  removeFolder(path: string): void
  /** Removes a folder with all its content, if it exists. */
  removeTree(path: string): void
  /** Makes names made, changed or removed in the folder durable. */
  syncFolder(path: string): void
  /** The same, without stopping the event loop. */
  syncFolderAside(path: string): Promise<void>
}

export interface FileStat {
  /** Device and inode: a copy of a file or folder has another one. */
  readonly id: string
  readonly size: number
  /** How many names the file has: 0 after it was removed. */
  readonly links: number
}

export const nodeFileSystem: FileSystemPort = {
  open: (path, flags, mode = 0o600) => fs.openSync(path, flags, mode),
  write: (fd, bytes) => fs.writeSync(fd, bytes),
  sync: (fd) => fs.fsyncSync(fd),
  datasync: (fd) =>
    new Promise((resolve, reject) => fs.fdatasync(fd, (error) => (error === null ? resolve() : reject(error)))),
  writeAside: (fd, bytes) =>
    new Promise((resolve, reject) =>
      fs.write(fd, bytes, (error, taken) => (error === null ? resolve(taken) : reject(error))),
    ),
  readAside: (fd, bytes, position) =>
    new Promise((resolve, reject) =>
      fs.read(fd, bytes, 0, bytes.length, position, (error, count) =>
        error === null ? resolve(count) : reject(error),
      ),
    ),
  truncate: (fd, size) => fs.ftruncateSync(fd, size),
  stat,
  close: (fd) => fs.closeSync(fd),
  read: (path, most) => orMissing(() => readNamed(path, most), undefined),
  readAt,
  modified: (path) => fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs,
  overwrite,
  size: (path) => fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0,
  list: (folder) => orMissing(() => fs.readdirSync(folder).sort(), []),
  rename: (from, to) => renameWithRetry(from, to),
  link: (from, to) => fs.linkSync(from, to),
  remove: (path) => orMissing(() => fs.unlinkSync(path), undefined),
  makeFolder,
  removeFolder: (path) => fs.rmdirSync(path),
  removeTree: (path) => fs.rmSync(path, { recursive: true, force: true }),
  async syncFolderAside(path) {
    if (process.platform === 'win32') return
    const fd = fs.openSync(path, 'r')
    try {
      await new Promise<void>((resolve, reject) =>
        fs.fsync(fd, (error) => (error === null ? resolve() : reject(error))),
      )
    } finally {
      fs.closeSync(fd)
    }
  },
  syncFolder(path) {
    if (process.platform === 'win32') return
    const fd = fs.openSync(path, 'r')
    try {
      fs.fsyncSync(fd)
    } finally {
      fs.closeSync(fd)
    }
  },
}

function stat(file: string | number): FileStat | undefined {
  const found =
    typeof file === 'number'
      ? fs.fstatSync(file, { bigint: true })
      : fs.statSync(file, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) return undefined
  return { id: `${found.dev}:${found.ino}`, size: Number(found.size), links: Number(found.nlink) }
}

/** Step by step: where a parent is there and takes no folder (`/proc`), Node's own recursive way never ends. */
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

/** Writes all bytes, in as many calls as the disk wants. */
export function writeAll(port: FileSystemPort, fd: number, bytes: Uint8Array): void {
  let rest = bytes
  for (;;) {
    const taken = port.write(fd, rest)
    if (taken >= rest.length) return
    if (taken <= 0) throw Object.assign(new Error('the disk took no bytes'), { code: 'EIO' })
    rest = rest.subarray(taken)
  }
}

/** For clean-up on the way out of an error, whose own failure has nothing to add. */
export function ignoreErrors(fn: () => void): void {
  try {
    fn()
  } catch {}
}

/** The same file is looked at and written: another one may take its name at any moment. */
function overwrite(path: string, known: Uint8Array, bytes: Uint8Array): boolean {
  const fd = fs.openSync(path, 'r+')
  try {
    if (!fs.readFileSync(fd).equals(known)) return false
    fs.writeSync(fd, bytes, 0, bytes.length, 0)
    fs.ftruncateSync(fd, bytes.length)
    return true
  } finally {
    fs.closeSync(fd)
  }
}

/** What fails after the opening does not name the file by itself. */
function readNamed(path: string, most: number | undefined): Buffer {
  try {
    return most === undefined ? fs.readFileSync(path) : readAt(path, 0, most)
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { path }) : error
  }
}

function readAt(path: string, position: number, length: number): Buffer {
  const fd = fs.openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, fs.readSync(fd, bytes, 0, length, position))
  } finally {
    fs.closeSync(fd)
  }
}

function orMissing<T, U>(fn: () => T, missing: U): T | U {
  try {
    return fn()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return missing
    throw error
  }
}
