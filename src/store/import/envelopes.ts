// The fields around `tables` in the two documents that contain a whole state: exports and snapshots.
import { suggestion } from '../folder/json-file.ts'

/** Identifies an export. A file without it is rejected. */
export const EXPORT_FORMAT = 'psp-sandbox/1'

/** Raise it when older versions cannot read new snapshots. Snapshots with another number are rejected. */
export const SNAPSHOT_FORMAT = 1

export type EnvelopeKind = 'export' | 'snapshot'

/** For each field, a function that returns the issue of a value. */
type Fields = { readonly [name: string]: (value: unknown) => string | undefined }

const text = (value: unknown) => (typeof value === 'string' ? undefined : 'expected a string')

const ENVELOPES: { readonly [K in EnvelopeKind]: Fields } = {
  export: {
    format: (value) =>
      value === EXPORT_FORMAT
        ? undefined
        : `expected ${EXPORT_FORMAT}, as GET /_psp/export of this version writes it, got ${shown(value)}`,
    version: text,
    exported_at: text,
    // A partial export would delete the other tables.
    partial: () => 'expected a whole export, without ?tables=',
  },
  snapshot: {
    format: (value) => (value === SNAPSHOT_FORMAT ? undefined : `expected ${SNAPSHOT_FORMAT}, found ${String(value)}`),
    saved_at: (value) => (Number.isSafeInteger(value) ? undefined : 'expected a time in ms'),
  },
}

const REQUIRED: { readonly [K in EnvelopeKind]: readonly string[] } = {
  export: ['format'],
  snapshot: ['format', 'saved_at'],
}

/** Returns the issue of a field. It begins with the name of the field. */
export function fieldIssue(kind: EnvelopeKind, name: string, value: unknown): string | undefined {
  const known = Object.keys(ENVELOPES[kind])
  if (!known.includes(name)) return `${name}: unknown key${suggestion(name, [...known, 'tables'])}`
  const why = ENVELOPES[kind][name]?.(value)
  return why === undefined ? undefined : `${name}: ${why}`
}

export function missingFieldIssue(kind: EnvelopeKind, seen: ReadonlySet<string>): string | undefined {
  const missing = REQUIRED[kind].find((name) => !seen.has(name))
  return missing && fieldIssue(kind, missing, undefined)
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60)
}
