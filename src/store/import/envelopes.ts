// The two documents that hold a whole state, by the fields around `tables`.
import { suggestion } from '../folder/json-file.ts'

/** Marks an export, so that another file is not taken for one. */
export const EXPORT_FORMAT = 'psp-sandbox/1'

/** Raised when programs could not read what another version writes; no other number is read. */
export const SNAPSHOT_FORMAT = 1

export type EnvelopeKind = 'export' | 'snapshot'

/** By field, what was expected if the value is wrong. */
type Fields = { readonly [name: string]: (value: unknown) => string | undefined }

const text = (value: unknown) => (typeof value === 'string' ? undefined : 'expected a text')

const ENVELOPES: { readonly [K in EnvelopeKind]: Fields } = {
  export: {
    format: (value) =>
      value === EXPORT_FORMAT
        ? undefined
        : `expected ${EXPORT_FORMAT}, as GET /_psp/export of this version writes it, got ${shown(value)}`,
    version: text,
    exported_at: text,
    // A part in the place of the whole would wipe out the rest.
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

/** @returns what is wrong with a field, as a sentence that begins with its name */
export function fieldIssue(kind: EnvelopeKind, name: string, value: unknown): string | undefined {
  const known = Object.keys(ENVELOPES[kind])
  if (!known.includes(name)) return `${name}: unknown key${suggestion(name, [...known, 'tables'])}`
  const why = ENVELOPES[kind][name]?.(value)
  return why === undefined ? undefined : `${name}: ${why}`
}

/** @returns what is wrong if these are all fields */
export function missingFieldIssue(kind: EnvelopeKind, seen: ReadonlySet<string>): string | undefined {
  const missing = REQUIRED[kind].find((name) => !seen.has(name))
  return missing && fieldIssue(kind, missing, undefined)
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60)
}
