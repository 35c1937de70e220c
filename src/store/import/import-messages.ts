// The interface of an import, and the messages between the main thread and the import thread.
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { diskPath, errorCode } from '../errors.ts'
import type { StateFile } from '../folder/state-file.ts'
import type { EnvelopeKind } from './envelopes.ts'
import type { ImportSummary, StagedPage } from './state-importer.ts'
import { StateTextError } from './state-text-error.ts'

export interface ImportJob {
  readonly kind: EnvelopeKind
  /** The number of the journal line that precedes the pages. */
  readonly seq: number
  /** The absolute path of the directory for the pages. Absent if the store is in memory. */
  readonly folder: string | undefined
}

export interface StateImport {
  /**
   * Resolves when the next chunk may be pushed.
   * @throws StateTextError, or the error of the file system
   */
  push(chunk: Uint8Array): Promise<void>
  /**
   * Pushes a whole file.
   * @throws the same errors as `push`
   */
  pushFile(path: string): Promise<void>
  /**
   * Ends the input, after the last chunk. Resolves when all pages are handled.
   * @throws the same errors as `push`
   */
  endInput(): Promise<ImportSummary>
  /** Writes the `state.json` that completes the directory of the pages. */
  writeStateFile(state: StateFile): Promise<void>
  /** Call it after success or failure. Ends the thread, and stops an import that has not ended. */
  dispose(): Promise<void>
}

export type ToThread =
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'end' }
  /** A page is handled, so another one may be sent. */
  | { readonly kind: 'handled' }
  | { readonly kind: 'finish'; readonly state: StateFile }

export type FromThread =
  | { readonly kind: 'page'; readonly page: StagedPage }
  /** A chunk, or the file, is read. */
  | { readonly kind: 'read' }
  | { readonly kind: 'summary'; readonly summary: ImportSummary }
  | { readonly kind: 'finished' }
  | { readonly kind: 'failed'; readonly error: SentError }

/** An error as a message, because an error loses its class between threads. */
export interface SentError {
  readonly message: string
  readonly position?: Pick<StateTextError, 'line' | 'column' | 'isSyntax'>
  readonly code?: string
  readonly path?: string
}

/** The thread waits if this many of its pages are not handled yet. */
export const MAX_PAGES_IN_FLIGHT = 8

export function toSentError(error: unknown): SentError {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof StateTextError) {
    const { line, column, isSyntax } = error
    return { message, position: { line, column, isSyntax } }
  }
  return omitUndefined({ message, code: errorCode(error), path: diskPath(error) })
}

export function fromSentError({ message, position, code, path }: SentError): Error {
  if (position !== undefined) {
    const { line, column, isSyntax } = position
    return new StateTextError(message, line, omitUndefined({ isSyntax, column }))
  }
  return Object.assign(new Error(message), omitUndefined({ code, path }))
}
