// Defines the operations that a step can perform.
import type { Client } from '../client/client.ts'

export type Fields = { readonly [name: string]: unknown }

export interface Operation {
  /** The fields allowed in `with`, or `undefined` if the server rejects unknown ones itself. */
  readonly fields: readonly string[] | undefined
  call(client: Client, fields: Fields): Promise<unknown>
}

export function operation(fields: readonly string[], call: Operation['call']): Operation {
  return { fields, call }
}

/** Creates an operation that passes all fields to the server, because the server checks them. */
export function passThrough(call: Operation['call']): Operation {
  return { fields: undefined, call }
}

/** Converts the type of fields without a check. The server rejects invalid fields and names them. */
export function unchecked<T>(fields: Fields): T {
  return fields as T
}

export function toText(value: unknown): string {
  return value === undefined ? '' : String(value)
}
