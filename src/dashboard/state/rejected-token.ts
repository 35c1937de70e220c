import { ApiError, UnsendableHeaderError } from '../../client/errors.ts'

/** Returns whether the error means that the token is wrong. A token that no header can contain is wrong, too. */
export function isRejectedToken(error: unknown): boolean {
  return error instanceof UnsendableHeaderError || (error instanceof ApiError && error.status === 401)
}
