// The first shop and the seed: the first content of a sandbox, which a reset with `all` restores.
import { hashedKey } from '../domain/api-key.ts'
import { DEFAULT_SHOP } from '../domain/default-shop.ts'
import { RefusalError } from '../domain/errors.ts'
import type { Seed } from '../engine/command.ts'
import type { ShopInput } from '../engine/command-inputs.ts'
import type { Randomness } from '../engine/ports.ts'
import { type CheckedSeed, readSeed, readStoredSeed } from '../http/control/seed.ts'
import type { SeedRecord, StartCredentials, StartRecordStorage } from '../store/start-record.ts'

export interface SandboxStart {
  /** The first shop as a reset with `all` creates it. */
  readonly shop: ShopInput
  /** Absent: there is no seed. */
  readonly seed?: Seed
  /** Stores the start for later runs. Returns true if the seed differs from the stored one. */
  save(): boolean
}

/**
 * Validates a seed.
 * @throws RefusalError `bad_request` with the path
 */
export function checkedSeed(seed: object): CheckedSeed {
  return isChecked(seed) ? seed : readSeed(seed)
}

function isChecked(seed: object): seed is CheckedSeed {
  return 'apply' in seed && typeof seed.apply === 'function'
}

interface StartPorts {
  readonly record: StartRecordStorage
  /** True if the sandbox has no shop yet. */
  readonly isNew: boolean
  readonly shop: ShopInput
  readonly seed: CheckedSeed | undefined
  /** Draws a string from which the ids of a new seed are derived. */
  drawIds(): string
  /** Returns the random sequence that a string seeds. */
  randomOf(text: string): Randomness
}

/**
 * Reads the stored start. The stored credentials are kept; a given seed replaces the stored one.
 * @throws StoreDamagedError
 */
export function openStart({ record, isNew, shop: given, seed, drawIds, randomOf }: StartPorts): SandboxStart {
  const stored = record.load() ?? {}
  const checked = seed ?? readStored(record, stored.seed)
  const isSame = stored.seed !== undefined && JSON.stringify(stored.seed.document) === JSON.stringify(checked?.document)
  const ids = isSame ? stored.seed.ids : drawIds()
  const credentials = isNew ? credentialsOf(given) : stored.shop
  return {
    shop: credentials === undefined || isNew ? given : withoutKeyOf(checked, withCredentials(given, credentials)),
    ...(checked && {
      seed: {
        shops: checked.shops,
        apply: (commit, keeps) => checked.apply(commit, keeps, (place) => randomOf(`${ids} ${place}`)),
      },
    }),
    save() {
      const hasNewSeed = checked !== undefined && !isSame
      if (hasNewSeed || isNew) {
        record.save({
          ...(credentials && { shop: credentials }),
          ...(checked && { seed: { ids, document: checked.document } }),
        })
      }
      return hasNewSeed
    },
  }
}

function readStored(record: StartRecordStorage, seed: SeedRecord | undefined): CheckedSeed | undefined {
  try {
    return seed && readStoredSeed(seed.document)
  } catch (error) {
    throw error instanceof RefusalError ? record.seedError(error.message) : error
  }
}

function credentialsOf({ api_key = '', signing_secret, webhook_secret }: ShopInput): StartCredentials | undefined {
  const known_key = hashedKey(api_key)
  if (known_key === undefined || signing_secret === undefined || webhook_secret === undefined) return undefined
  return { known_key, signing_secret, webhook_secret }
}

/** Replaces the first shop's key by the development key if the seed gives that key to another shop. */
function withoutKeyOf(seed: CheckedSeed | undefined, input: ShopInput): ShopInput {
  const { api_key = '', known_key = hashedKey(api_key), ...shop } = input
  if (known_key === undefined || seed?.keys.includes(known_key.hash) !== true) return input
  return { ...shop, api_key: DEFAULT_SHOP.api_key }
}

function withCredentials({ api_key: _, ...shop }: ShopInput, credentials: StartCredentials): ShopInput {
  return { ...shop, ...credentials }
}
