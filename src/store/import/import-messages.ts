// An intake, and the messages between the main thread and the thread of one.
import type { StateFile } from '../folder/state-file.ts'
import type { EnvelopeKind } from './envelopes.ts'
import type { ImportSummary, StagedPage } from './state-importer.ts'
import { StateTextError } from './state-text-error.ts'

export interface ImportJob {
  readonly kind: EnvelopeKind
  /** The journal line that the pages are up to. */
  readonly seq: number
  /** Whole path of the folder for the pages; absent: they are kept in memory alone. */
  readonly folder: string | undefined
}

export interface ImportRun {
  /** Resolves when the next chunk may come. @throws StateTextError, or what the disk said */
  push(chunk: Uint8Array): Promise<void>
  /** All of a file. @throws as `push` */
  pushFile(path: string): Promise<void>
  /** After the last chunk: resolves when all pages were taken. @throws as `push` */
  end(): Promise<ImportSummary>
  /** Makes the folder complete. */
  finish(state: StateFile): Promise<void>
  /** Ends early, or after all. */
  stop(): Promise<void>
}

export type ToThread =
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'end' }
  /** A page was taken: another may come. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'finish'; readonly state: StateFile }

export type FromThread =
  | { readonly kind: 'page'; readonly page: StagedPage }
  /** A chunk, or the file, was read. */
  | { readonly kind: 'read' }
  | { readonly kind: 'summary'; readonly summary: ImportSummary }
  | { readonly kind: 'finished' }
  | { readonly kind: 'failed'; readonly error: SentError }

/** Errors lose their class on the way. */
export interface SentError {
  readonly message: string
  readonly position?: Pick<StateTextError, 'line' | 'column' | 'isSyntax'>
  readonly code?: string
  readonly path?: string
}

/** Pages in the thread and on the way. */
export const MAX_PAGES_IN_FLIGHT = 8

export function toSentError(error: unknown): SentError {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof StateTextError) {
    const { line, column, isSyntax } = error
    return { message, position: { line, column, isSyntax } }
  }
  const { code, path } = (error ?? {}) as { readonly code?: unknown; readonly path?: unknown }
  return { message, ...(typeof code === 'string' && { code }), ...(typeof path === 'string' && { path }) }
}

export function fromSentError({ message, position: fault, code, path }: SentError): Error {
  if (fault !== undefined) {
    const { line, column, isSyntax } = fault
    return new StateTextError(message, line, { isSyntax, ...(column !== undefined && { column }) })
  }
  return Object.assign(new Error(message), { ...(code !== undefined && { code }), ...(path !== undefined && { path }) })
}
