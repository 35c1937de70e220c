// HTTP responses: which status is a success, and how much of a response head psp reads.

/** Bytes of the status line and the headers. */
export const MAX_HEAD_BYTES = 64 * 1024
/** Informational responses (1xx) before the final one. */
export const MAX_INFORMATIONAL = 1000

/** A response head above a limit. `bytes` is the size of the headers, or a lower bound of it. */
export class ResponseHeadError extends Error {
  override readonly name = 'ResponseHeadError'
  readonly code: 'PSP_HEAD_OVERFLOW' | 'PSP_INFORMATIONAL_OVERFLOW'
  readonly bytes: number | undefined
  readonly isLowerBound: boolean
  constructor(code: ResponseHeadError['code'], bytes?: number, isLowerBound = false) {
    super(code)
    this.code = code
    this.bytes = bytes
    this.isLowerBound = isLowerBound
  }
}

/** Spec 6.1: any 2xx response accepts a webhook. `undefined` and `null` mean that there was no response. */
export function isSuccess(status: number | null | undefined): boolean {
  return typeof status === 'number' && status >= 200 && status < 300
}

/** Returns whether the response is complete and 2xx. `error` says why a response is not complete. */
export function isAccepted({
  status,
  error,
}: {
  readonly status?: number | null
  readonly error?: string | null
}): boolean {
  return (error === undefined || error === null) && isSuccess(status)
}
