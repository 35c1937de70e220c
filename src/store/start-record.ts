// start.json: what a reset of everything brings back. It is not a part of the state: imports and snapshots do not contain it.
import { diskReason, StoreDamagedError, StoreUnavailableError } from './errors.ts'
import { writeAtomicFile } from './folder/atomic-file.ts'
import type { FileSystemPort } from './folder/file-system.ts'
import { lineOfKey, parseJsonFile } from './folder/json-file.ts'
import type { Layout } from './folder/layout.ts'

export interface StartRecord {
  /** The credentials with which the folder was made. The text of the key is never stored. Absent: not known. */
  readonly shop?: StartCredentials
  readonly seed?: SeedRecord
}

export interface StartCredentials {
  readonly known_key: { readonly hash: string; readonly hint: string; readonly mode: 'test' | 'live' }
  readonly signing_secret: string
  readonly webhook_secret: string
}

export interface SeedRecord {
  /** The ids that the seed makes follow from it. */
  readonly ids: string
  readonly document: object
}

export interface StartRecordStorage {
  /** @throws StoreDamagedError */
  load(): StartRecord | undefined
  /** @throws StoreUnavailableError */
  save(record: StartRecord): void
  /** Describes a seed that cannot be used. */
  seedError(why: string): Error
}

const FORMAT = 1
const REMEDY =
  'Correct it, or remove the file: resets then bring back the development credentials and no seed, or what --seed and the flags of credentials say.'

export function createStartRecordFile(
  port: FileSystemPort,
  { start: path }: Layout,
  demand: () => void,
): StartRecordStorage {
  return {
    load() {
      const bytes = port.read(path)
      if (bytes === undefined) return undefined
      const record = parseJsonFile(path, bytes)
      const fault = recordIssue(record)
      if (fault === undefined) return record as StartRecord
      const [key, why] = fault
      throw new StoreDamagedError(path, lineOfKey(bytes, key), `${key}: ${why}`, REMEDY)
    },
    save({ shop, seed }) {
      try {
        demand()
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

/** The start of a store in memory. */
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
