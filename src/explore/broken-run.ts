// A run that cannot continue: the handler no longer accepts connections, it does not respond, or the time is over.
import { type HandlerResponse, ProbeError } from '../audit/ports.ts'

/** `gone`: nothing listens any more. `hung`: a message got no response in time. */
export type BrokenReason = 'gone' | 'hung'

/** The time of the search is over. A run that has begun cannot be judged. */
export class TimeOverError extends Error {
  override readonly name = 'TimeOverError'
}

export function brokenBy(responses: readonly HandlerResponse[]): BrokenReason | undefined {
  if (responses.some(isRefusedConnection)) return 'gone'
  return responses.some(isHung) ? 'hung' : undefined
}

export function isRefusedConnection({ status, code }: HandlerResponse): boolean {
  return status === undefined && code === 'ECONNREFUSED'
}

export function isHung({ code }: HandlerResponse): boolean {
  return code === 'ETIMEDOUT'
}

/** Returns `undefined` if the probe reads from the handler's server, and nothing listens there any more. */
export async function undefinedIfGone<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ProbeError && error.isOfTarget) return undefined
    throw error
  }
}

/** Returns `undefined` if the time of the search ended during the work. */
export async function undefinedIfTimeOver<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TimeOverError) return undefined
    throw error
  }
}
