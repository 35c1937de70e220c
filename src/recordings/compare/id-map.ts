// Maps ids of the recording to ids of the sandbox. The pairs are learned from responses.
import { asObject } from '../../domain/json-values.ts'
import { isUuid } from './text-format.ts'

export interface IdMap {
  /** Returns the id in the sandbox. */
  get(recorded: string): string | undefined
  /** Returns the id in the recording. */
  recordedIdOf(sandbox: string): string | undefined
  /** Learns the pairs of ids that are at the same place in both bodies. */
  learn(recorded: unknown, sandbox: unknown): void
  /** Replaces every known UUID of the recording in a path or a body. Ids of events are not replaced. */
  replace(text: string): string
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

export function createIdMap(): IdMap {
  const ids = new Map<string, string>()
  const recordedIds = new Map<string, string>()

  function learn(recorded: unknown, sandbox: unknown): void {
    if (typeof recorded === 'string' && typeof sandbox === 'string') {
      if (!isId(recorded) || !isId(sandbox) || ids.has(recorded)) return
      ids.set(recorded, sandbox)
      recordedIds.set(sandbox, recorded)
    } else if (Array.isArray(recorded) && Array.isArray(sandbox)) {
      for (const [at, item] of recorded.entries()) learn(item, sandbox[at])
    } else {
      const [recordedObject, sandboxObject] = [asObject(recorded), asObject(sandbox)]
      if (recordedObject === undefined || sandboxObject === undefined) return
      // Merchants choose the values of metadata, and the sandbox repeats them, so they are not pairs of ids.
      for (const [name, value] of Object.entries(recordedObject))
        if (name !== 'metadata') learn(value, sandboxObject[name])
    }
  }

  return {
    get: (recorded) => ids.get(recorded),
    recordedIdOf: (sandbox) => recordedIds.get(sandbox),
    learn,
    replace: (text) => text.replace(UUID, (id) => ids.get(id) ?? id),
  }
}

const isId = (text: string) => isUuid(text) || text.startsWith('evt_')
