// start.json: the shop and the seed that a reset with `all` restores. They are not part of imports and snapshots.
import { diskReason, StoreDamagedError, StoreUnavailableError } from './errors.ts'
import { writeAtomicFile } from './folder/atomic-file.ts'
import type { FileSystemPort } from './folder/file-system.ts'
import { lineOfKey, parseJsonFile } from './folder/json-file.ts'
import type { Layout } from './folder/layout.ts'

export interface StartRecord {
  /** The credentials with which the data directory was created. The key itself is never stored. Absent if not known. */
  readonly shop?: StartCredentials
  readonly seed?: SeedRecord
}

export interface StartCredentials {
  readonly known_key: { readonly hash: string; readonly hint: string; readonly mode: 'test' | 'live' }
  readonly signing_secret: string
  readonly webhook_secret: string
}

export interface SeedRecord {
  /** The string from which the ids of the seed are derived. */
  readonly ids: string
  readonly document: object
}

export interface StartRecordStorage {
  /** @throws StoreDamagedError */
  load(): StartRecord | undefined
  /** @throws StoreUnavailableError */
  save(record: StartRecord): void
  /** Returns an error for a seed that cannot be used. */
  seedError(why: string): Error
}

const FORMAT = 1
const REMEDY =
  'Correct it, or remove the file. Resets then restore the credentials that the flags name, or the development credentials, without a seed.'

export function createStartRecordFile(
  port: FileSystemPort,
  { start: path }: Layout,
  assertOwned: () => void,
): StartRecordStorage {
  return {
    load() {
      const bytes = port.read(path)
      if (bytes === undefined) return undefined
      const record = parseJsonFile(path, bytes)
      const issue = recordIssue(record)
      if (issue === undefined) return record as StartRecord
      const [key, why] = issue
      throw new StoreDamagedError(path, lineOfKey(bytes, key), `${key}: ${why}`, REMEDY)
    },
    save({ shop, seed }) {
      try {
        assertOwned()
        const text = JSON.stringify({ format: FORMAT, shop, seed }, null, 2)
        writeAtomicFile(port, path, [Buffer.from(`${text}\n`)])
      } catch (error) {
        if (error instanceof StoreUnavailableError) throw error
        throw new StoreUnavailableError(`${path} could not be written: ${diskReason(error)}`, error)
      }
    },
    seedError: (why) => new StoreDamagedError(path, 1, `seed: ${why}`, REMEDY),
  }
}

function recordIssue(record: unknown): readonly [key: string, why: string] | undefined {
  const { format, shop, seed } = fieldsOf(record)
  if (format !== FORMAT) return ['format', `expected ${FORMAT}, found ${String(format)}`]
  const { known_key, signing_secret, webhook_secret } = fieldsOf(shop)
  const { hash, hint, mode } = fieldsOf(known_key)
  const texts = [signing_secret, webhook_secret, hash, hint, mode]
  if (shop !== undefined && texts.some((text) => typeof text !== 'string')) return ['shop', 'expected credentials']
  const { ids, document } = fieldsOf(seed)
  if (seed !== undefined && (typeof ids !== 'string' || typeof document !== 'object' || document === null)) {
    return ['seed', 'expected ids and a document']
  }
  return undefined
}

function fieldsOf(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { readonly [key: string]: unknown }) : {}
}

export function createMemoryStartRecord(): StartRecordStorage {
  let kept: StartRecord | undefined
  return {
    load: () => kept,
    save(record) {
      kept = record
    },
    seedError: (why) => new Error(why),
  }
}
