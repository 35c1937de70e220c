import { ApiError, UnsendableHeaderError } from '../../client/errors.ts'

/** Returns whether the token is wrong. If no header can contain it, it is not that of the server. */
export function isRejectedToken(error: unknown): boolean {
  return error instanceof UnsendableHeaderError || (error instanceof ApiError && error.status === 401)
}
