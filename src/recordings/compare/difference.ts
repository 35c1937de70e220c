// Differences between the recorded service and the sandbox.

/** Each kind with its description for reports, in the order of the report. */
export const DIFFERENCE_KINDS = {
  status: 'the HTTP status differs',
  error_code: 'the error code differs',
  missing: 'a field that only the recording has',
  added: 'a field that only the sandbox has',
  type: 'the JSON type of a field differs',
  format: 'the format of a field differs',
  value: "a value differs, although the request or the API's specification determines it",
  length: 'the number of items in a list differs',
  header:
    'a response header is missing or added, or `content-type`, `allow`, `www-authenticate` or `location` has a different value',
  order: 'the order of stream messages differs',
  no_response: 'the sandbox sends no response',
} as const

export type DifferenceKind = keyof typeof DIFFERENCE_KINDS

export interface Difference {
  readonly kind: DifferenceKind
  /** `POST /v1/public/payments`, or `GET /v1/public/events` with the kind of the message. */
  readonly operation: string
  /** The field, the header or the stream message. Empty for the whole response. */
  readonly at: string
  readonly recorded: string
  readonly sandbox: string
  /** The number of the entry in the recording. */
  readonly entry: number
  /** Distinguishes differences that look the same but have different causes. */
  readonly cause?: string
  /** Values for the setting rules. */
  readonly detail?: { readonly [name: string]: unknown }
}

/** The differences with the same {@link groupKey}, with the first as the example. Their values may differ. */
export interface DifferenceGroup extends Difference {
  readonly count: number
}

/** The key contains only statuses, codes and types, because other values differ in each example. */
export function groupKey({ kind, operation, at, recorded, sandbox, cause = '' }: Difference): string {
  const values = [recorded, sandbox]
  const words = kind === 'status' || kind === 'error_code' ? values : []
  const types = kind === 'type' ? values.map((value) => value.split(' ', 1)[0]) : []
  return [kind, operation, at, cause, ...words, ...types].join('\n')
}
