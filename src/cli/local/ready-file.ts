// The file of `--ready-file`. It has the same data as the first line of `psp serve --json`.
import { realpathSync, rmSync } from 'node:fs'
import { usageError } from '../failure.ts'
import type { HostProcess } from '../host-process.ts'
import { readSmallFile, rejectStdout, resolvePath } from '../input/files.ts'
import { requireWritableFile, writeNamed } from '../output/write-file.ts'

/** The data that a server reports when it is ready. */
export interface Ready {
  readonly type: 'ready'
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly version: string
  /** Full path of the data directory; null: in memory only. */
  readonly data: string | null
  /** null if only the hash of the key is stored. */
  readonly api_key: string | null
  readonly signing_secret: string
  readonly webhook_secret: string
  readonly shop_id: string
  /** Present if `--generate-credentials` has generated a control token. */
  readonly control_token?: string
}

export interface ReadyFile {
  /** Removes the file of an earlier server, so that no script reads its data by mistake. */
  clear(): void
  /**
   * Writes the file atomically.
   * @throws CliError if it cannot be written
   */
  write(ready: Ready): Promise<void>
  /** Removes the file, unless another server has replaced it. */
  remove(): void
}

/**
 * Checks the path, and changes nothing yet.
 * @throws CliError if another program wrote the file, or if it is not writable
 */
export function readyFile(file: string, host: HostProcess): ReadyFile {
  rejectStdout('--ready-file', file, 'Name a file. `psp serve --json` prints the same data on stdout.')
  const path = resolvePath(host, file)
  const before = textOf(path)
  if (before !== undefined && parsed(before) === undefined) {
    throw usageError(`--ready-file: ${file} exists, but psp did not write it.`, 'Name a file that psp may replace.')
  }
  requireWritableFile(file, host)
  return {
    clear() {
      if (textOf(path) !== undefined) removeTarget(path)
    },
    write: (ready) => writeNamed(file, path, `${JSON.stringify(ready)}\n`, { secret: true }),
    remove() {
      if (readReadyFile(path)?.pid === host.pid) removeTarget(path)
    },
  }
}

/** Returns the content of a ready file; `undefined` if there is no valid one. */
export function readReadyFile(path: string): Ready | undefined {
  return parsed(textOf(path) ?? '')
}

/** Removes the target of a link and keeps the link. */
function removeTarget(path: string): void {
  rmSync(realpathSync(path), { force: true })
}

/** Returns the content of a regular file. A pipe is not read, because its data is for the other end. */
function textOf(path: string): string | undefined {
  try {
    return readSmallFile(path).toString('utf8')
  } catch {
    return undefined
  }
}

function parsed(text: string): Ready | undefined {
  try {
    const value = JSON.parse(text) as Partial<Ready> | null
    return value?.type === 'ready' && typeof value.url === 'string' ? (value as Ready) : undefined
  } catch {
    return undefined
  }
}
