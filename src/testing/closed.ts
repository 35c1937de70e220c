/** What every call after `close()` is told. */
export const CLOSED = 'The sandbox was closed. Await what still uses it, or close it later.'
