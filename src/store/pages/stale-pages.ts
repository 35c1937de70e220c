// Older copies of pages: what state.json lists tells them from pages that people changed, which keep their seq or lose it.
import { StoreDamagedError } from '../errors.ts'

/** What is known of a page before it is looked into. */
export interface ListedPage {
  /** The line that state.json has it at; `undefined`: it does not list the page. */
  readonly listed: number | undefined
  /** The line that all pages are up to. */
  readonly upTo: number
}

/** @param seq the line the page is up to. @throws StoreDamagedError when the page was further on when state.json was written */
export function assertNotStale(file: string, seq: number, listed: number | undefined): void {
  if (listed === undefined || seq >= listed) return
  throw new StoreDamagedError(
    file,
    1,
    `this is an older copy of the page: it holds changes up to ${seq}, and state.json knows of it up to ${listed}`,
    `Put the newer one back. Where that is lost, write "seq":${listed} into its first line: that goes on with these rows, without what changed since.`,
  )
}

/** A page that state.json does not list is new, and ahead of it, or has lost its rows and was to go. @throws StoreDamagedError */
export function assertNotDeleted(file: string, seq: number, { listed, upTo }: ListedPage): void {
  if (listed !== undefined || seq > upTo) return
  throw new StoreDamagedError(
    file,
    1,
    `state.json does not list this page: its rows were deleted after this copy was made`,
    'Remove it. To have its rows back, take "crc" out of its first line.',
  )
}
