// Examples of ids, for help and messages.

const UUID = '3f2a9c1e-…'

export const ID_EXAMPLES = {
  payment: UUID,
  payout: UUID,
  shop: UUID,
  event: 'evt_…',
  delivery: 'dlv_…',
  endpoint: 'we_…',
  rule: 'rul_…',
  fault: 'flt_…',
  key: 'key_…',
} as const

/** The minimum characters of an id that commands accept shortened. A shorter beginning would match by chance. */
export const SHORTEST_IDS = { payment: 4, payout: 4, event: 7, delivery: 7 } as const

/** Returns the help of an argument: `payment id, 3f2a9c1e-…, or at least its first 4 characters`. */
export function shortenableId(kind: keyof typeof SHORTEST_IDS): string {
  return `${kind} id, ${ID_EXAMPLES[kind]}, or at least its first ${SHORTEST_IDS[kind]} characters`
}

/** Returns the help of an option that selects one object: `its id, or at least the first 4 characters`. */
export function idOrStart(kind: keyof typeof SHORTEST_IDS): string {
  return `its id, or at least the first ${SHORTEST_IDS[kind]} characters`
}

/** Like {@link shortenableId}, for several ids. */
export function shortenableIds(kind: keyof typeof SHORTEST_IDS): string {
  return `${kind} ids, ${ID_EXAMPLES[kind]}, or at least the first ${SHORTEST_IDS[kind]} characters of each`
}
