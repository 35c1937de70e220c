/** ms that running requests, attempts and forwards get at the end. */
export const DRAIN = 2000
