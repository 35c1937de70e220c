// One operation that a step can do, and how one is made.
import type { Client } from '../client/client.ts'

export type Fields = { readonly [name: string]: unknown }

export interface Operation {
  /** Names that `with` may hold; `undefined` where the server refuses unknown ones itself. */
  readonly fields: readonly string[] | undefined
  call(client: Client, fields: Fields): Promise<unknown>
}

export function operation(fields: readonly string[], call: Operation['call']): Operation {
  return { fields, call }
}

/** The server checks the names. */
export function passThrough(call: Operation['call']): Operation {
  return { fields: undefined, call }
}

/** A story's fields go out as they were written: the server checks them, and says which one it cannot take. */
export function unchecked<T>(fields: Fields): T {
  return fields as T
}

export function toText(value: unknown): string {
  return value === undefined ? '' : String(value)
}
