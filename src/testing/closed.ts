/** The error of every call after `close()`. */
export const CLOSED_MESSAGE = 'The sandbox was closed. Await the calls that still use it, or close it later.'
