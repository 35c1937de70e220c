// The errors of the data directory. Each message states the cause and what to do next.

interface Holder {
  readonly pid: number
  readonly url?: string
  readonly host?: string
}

/** A live process uses the data directory. The command line exits with 9. */
export class StoreLockedError extends Error {
  override readonly name = 'StoreLockedError'
  readonly pid: number
  /** Absent if that process has no server, or has not started it yet. */
  readonly url: string | undefined
  /** The last heartbeat, in ms by the disk's clock. Set only if the process is in another container or machine. */
  readonly heartbeatAt: number | undefined
  constructor(folder: string, { pid, url, host }: Holder, heartbeatAt?: number) {
    const who = url === undefined ? `process ${pid}` : `process ${pid} (${url})`
    const where =
      heartbeatAt === undefined ? '' : ` of another container or machine${host === undefined ? '' : ` (${host})`}`
    super(`The data directory ${folder} is in use by ${who}${where}.`)
    this.pid = pid
    this.url = url
    this.heartbeatAt = heartbeatAt
  }
}

/** The data directory contains something that psp cannot use, or a file is missing. Nothing was changed. */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError'
  readonly file: string
  /** The first line is 1. */
  readonly line: number
  readonly why: string
  /** The advice at the end of the message. */
  readonly remedy: string
  constructor(
    file: string,
    line: number,
    why: string,
    remedy = 'Repair or remove it, or run `psp doctor` for ways to continue.',
  ) {
    // The cause may be a sentence with a full stop.
    const cause = why.replace(/\.$/, '')
    super(`${file}:${line}: ${cause}. Nothing was changed. ${remedy}`)
    this.remedy = remedy
    this.file = file
    this.line = line
    this.why = cause
  }
}

/** The data directory was written by another version of this program. Nothing was changed. */
export class StoreFormatError extends Error {
  override readonly name = 'StoreFormatError'
}

/** The store cannot be written. The API responds with 503 `storage_unavailable`. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
  }
}

export function closedError(): StoreUnavailableError {
  return new StoreUnavailableError('The store is closed.')
}

/** The store closed before all changes were in the pages. They are in the journal, and the next start reads them. */
export class PagesNotWrittenError extends Error {
  override readonly name = 'PagesNotWrittenError'
}

const HINTS: { readonly [code: string]: string } = {
  ENOSPC: 'the disk is full: free some space',
  EDQUOT: 'the disk quota is used up: free some space',
  EROFS: 'the file system is read-only: remount it, or choose another data directory with --data',
  EACCES: 'permission denied: let this user write there, or choose another data directory with --data',
  EPERM: 'not permitted: let this user write there, or choose another data directory with --data',
  EMFILE: 'too many open files: raise the limit (ulimit -n)',
  ENFILE: 'too many open files on this machine',
  ENOTDIR: 'a part of the path is a file: choose another data directory with --data',
  EISDIR: 'it is a directory, not a file: move it away',
  EEXIST: 'a file or a dangling link has this name: choose another data directory with --data',
  ELOOP: 'the links of the path form a loop: choose another data directory with --data',
  ENAMETOOLONG: 'the name is too long: choose another data directory with --data',
  EIO: 'the disk reports an input/output error: check it',
}

/** Returns the file or directory that a file system error concerns, if the error names it. */
export function diskPath(error: unknown): string | undefined {
  const { dest, path } = (error ?? {}) as { readonly dest?: unknown; readonly path?: unknown }
  return [dest, path].find((name): name is string => typeof name === 'string')
}

/** Returns the message of a file system error, with what to do next. */
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
