// Detects page files that were restored from an older copy. A page that was edited by hand keeps its `seq` or has none,
// so only an older copy is behind state.json.
import { StoreDamagedError } from '../errors.ts'

/**
 * @param seq the last journal line of the page
 * @param listedSeq its last journal line in state.json, if it is listed
 * @throws StoreDamagedError if the page is older than state.json
 */
export function assertNotStale(file: string, seq: number, listedSeq: number | undefined): void {
  if (listedSeq === undefined || seq >= listedSeq) return
  throw new StoreDamagedError(
    file,
    1,
    `this is an older copy of the page: it contains changes up to ${seq}, and state.json lists it with changes up to ${listedSeq}`,
    `Put the newer one back. If it is lost, write "seq":${listedSeq} into its first line: the next start then uses these rows, without the later changes.`,
  )
}

/**
 * Checks a page that state.json does not list. It is either newer than state.json, or a copy of a page that was
 * deleted.
 * @throws StoreDamagedError if it was deleted
 */
export function assertNotDeleted(file: string, seq: number, stateSeq: number): void {
  if (seq > stateSeq) return
  throw new StoreDamagedError(
    file,
    1,
    'state.json does not list this page: its rows were deleted after this copy was made',
    'Remove it. To restore its rows, remove "crc" from its first line.',
  )
}
