import { TABLE_NAMES, type TableName, type Tables } from '../src/engine/tables.ts'
import type { World } from '../src/engine/world.ts'

export type StoredTables = { readonly [T in TableName]: readonly Tables[T][] }

/** Every row of every table, in table order. */
export function storedTables(world: Pick<World, 'rows'>): StoredTables {
  return Object.fromEntries(TABLE_NAMES.map((name) => [name, [...world.rows(name)]])) as unknown as StoredTables
}
