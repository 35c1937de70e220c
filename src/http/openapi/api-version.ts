/** The date label of the interface (spec 9). */
export const API_VERSION = '2026-05-06'
