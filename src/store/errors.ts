// What can go wrong with the data folder. Each text names the cause and how to go on.

interface Holder {
  readonly pid: number
  readonly url?: string
  readonly host?: string
}

/** A live process holds the folder; the command line exits 9. */
export class StoreLockedError extends Error {
  override readonly name = 'StoreLockedError'
  readonly pid: number
  /** Absent while that process has no server, or none yet. */
  readonly url: string | undefined
  /**
   * Present: it lives in another container or on another machine, and its lock was written last at this time of the disk
   * (ms). While it lives it does so again and again.
   */
  readonly beat: number | undefined
  constructor(folder: string, { pid, url, host }: Holder, beat?: number) {
    const who = url === undefined ? `process ${pid}` : `process ${pid} (${url})`
    const where = beat === undefined ? '' : ` of another container or machine${host === undefined ? '' : ` (${host})`}`
    super(`The data folder ${folder} is in use by ${who}${where}.`)
    this.pid = pid
    this.url = url
    this.beat = beat
  }
}

/** The folder holds something this program did not write and cannot honour. Nothing was changed. */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError'
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly why: string
  /** How to go on; the message ends with it. */
  readonly remedy: string
  constructor(
    file: string,
    line: number,
    why: string,
    remedy = 'Repair or remove it, or run psp doctor for the ways to go on.',
  ) {
    // What was wrong may come as a sentence.
    const cause = why.replace(/\.$/, '')
    super(`${file}:${line}: ${cause}. Nothing was changed. ${remedy}`)
    this.remedy = remedy
    this.file = file
    this.line = line
    this.why = cause
  }
}

/** The folder was written by another version of this program. Nothing was changed. */
export class StoreFormatError extends Error {
  override readonly name = 'StoreFormatError'
}

/** The disk refused. The API answers 503 `storage_unavailable`. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  constructor(what: string, cause?: unknown) {
    super(what, { cause })
  }
}

/** The pages lack changes when the store closes. The journal keeps them, and the next start reads them from there. */
export class PagesNotWrittenError extends Error {
  override readonly name = 'PagesNotWrittenError'
}

const HINTS: { readonly [code: string]: string } = {
  ENOSPC: 'the disk is full: free some space',
  EDQUOT: 'the disk quota is used up: free some space',
  EROFS: 'the file system is read-only: remount it, or choose another folder with --data',
  EACCES: 'permission denied: give this user the folder, or choose another one with --data',
  EPERM: 'not permitted: give this user the folder, or choose another one with --data',
  EMFILE: 'too many open files: raise the limit (ulimit -n)',
  ENFILE: 'too many open files on this machine',
  ENOTDIR: 'a part of the path is a file, not a folder: choose another one with --data',
  EISDIR: 'it is a folder, not a file: move it away',
  EEXIST: 'a file has this name, or a link that leads nowhere: choose another folder with --data',
  ENAMETOOLONG: 'the name is too long: choose another folder with --data',
  EIO: 'the disk reports an input/output error: check it',
}

/** The file or folder that the disk refused, where it says so. */
export function diskPath(error: unknown): string | undefined {
  const { dest, path } = (error ?? {}) as { readonly dest?: unknown; readonly path?: unknown }
  return [dest, path].find((name): name is string => typeof name === 'string')
}

/** `EACCES` to words with the next step. */
export function diskReason(error: unknown): string {
  const code = errorCode(error)
  const hint = code === undefined ? undefined : HINTS[code]
  if (hint !== undefined) return `${hint} (${code})`
  return error instanceof Error ? error.message : String(error)
}

export function errorCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
