/** What every call after `close()` is told. */
export const CLOSED_MESSAGE = 'The sandbox was closed. Await what still uses it, or close it later.'
