// The file by which a server tells a script that it is ready, and where: as its first line of `--json`, and gone at its end.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { renamePatiently } from '../../store/folder/rename.ts'
import { usage } from '../failure.ts'
import type { Host } from '../host.ts'
import { namedPath } from '../input/named-path.ts'
import { notWritten } from '../output/write-output.ts'

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
  /** In one step: a reader sees all of it or nothing. @throws CliError where it cannot be written */
  write(ready: Ready): void
  /** Unless it is another server's by now. */
  remove(): void
}

/** Makes way for the file: what a server before this one left is removed. @throws CliError for a file of somebody else's */
export function readyFile(file: string, host: Host): ReadyFile {
  const path = namedPath(host, file)
  const before = textOf(path)
  if (before !== undefined && parsed(before) === undefined) {
    throw usage(`--ready-file: ${file} is there, and no server wrote it.`, 'Name a file that may be replaced.')
  }
  rmSync(path, { force: true })
  return {
    write(ready) {
      const beside = `${path}.${ready.pid}`
      try {
        // It holds secrets.
        writeFileSync(beside, `${JSON.stringify(ready)}\n`, { mode: 0o600 })
        renamePatiently(beside, path)
      } catch (error) {
        rmSync(beside, { force: true })
        throw notWritten(file, error)
      }
    },
    remove() {
      if (readReadyFile(path)?.pid === host.pid) rmSync(path, { force: true })
    },
  }
}

/** `undefined` while there is none. */
export function readReadyFile(path: string): Ready | undefined {
  return parsed(textOf(path) ?? '')
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
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
