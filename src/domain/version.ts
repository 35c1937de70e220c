import pkg from '../../package.json' with { type: 'json' }

/** The version of the package. */
export const VERSION: string = pkg.version

/** The version of the public API, a date (spec 9). */
export const API_VERSION = '2026-05-06'
