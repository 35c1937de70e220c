// Parsed JSON from outside, whose fields may be missing or have any type.
import { isTooDeep } from './json-depth.ts'

export interface JsonObject {
  readonly [field: string]: unknown
}

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Returns `undefined` if the text is not JSON, or nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}
