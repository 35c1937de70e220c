// The file by which a server tells a script that it is ready, and where: as its first line of `--json`, and gone at its end.
import { readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { usage } from '../failure.ts'
import type { Host } from '../host.ts'
import { namedPath } from '../input/named-path.ts'
import { requireWritable } from '../output/write-file.ts'
import { notWritten, writeNamed } from '../output/write-output.ts'

/** What a server says once it is ready. */
export interface Ready {
  readonly type: 'ready'
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly version: string
  /** Whole path of the data folder; null: in memory only. */
  readonly data: string | null
  /** null: it was made elsewhere, and only its hash is kept. */
  readonly api_key: string | null
  readonly signing_secret: string
  readonly webhook_secret: string
  readonly shop_id: string
}

export interface ReadyFile {
  /** Removes what an earlier server left, so that no script takes it for this one. */
  clear(): void
  /** In one step: a reader sees all of it or nothing. @throws CliError where it cannot be written */
  write(ready: Ready): Promise<void>
  /** Unless it is another server's by now. */
  remove(): void
}

/** Changes nothing yet. @throws CliError for a file of another program, or if none can be written there */
export function readyFile(file: string, host: Host): ReadyFile {
  const path = namedPath(host, file)
  const before = textOf(path)
  if (before !== undefined && parsed(before) === undefined) {
    throw usage(`--ready-file: ${file} is there, and no server wrote it.`, 'Name a file that may be replaced.')
  }
  try {
    requireWritable(path)
  } catch (error) {
    throw notWritten(file, error)
  }
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

/** `undefined` while there is none. */
export function readReadyFile(path: string): Ready | undefined {
  return parsed(textOf(path) ?? '')
}

/** A link to it stays. */
function removeTarget(path: string): void {
  rmSync(realpathSync(path), { force: true })
}

/** Nothing is read from a pipe: the reader of the file is at its other end. */
function textOf(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined
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
