// Runs an import and passes on its pages one by one. A large import runs in a thread if a thread is possible.
import { hasPackageFile } from '../../package-files/package-files.ts'
import { readPieces } from '../folder/async-files.ts'
import { type FileSystemPort, nodeFileSystem } from '../folder/file-system.ts'
import type { ImportJob, StateImport } from './import-messages.ts'
import { startImportThread } from './import-thread.ts'
import type { Pause } from './prepared-tables.ts'
import { createStagedFolder } from './staged-folder.ts'
import { type StagedPage, StateImporter } from './state-importer.ts'

/** This file exists only in the built package. Without it the import runs in the main thread. */
const WORKER = new URL('./import-worker.js', import.meta.url)

/** The maximum size of a state that is read without a thread. Starting a thread takes longer than reading this many bytes. */
const SMALL_BYTES = 64 * 1024

/**
 * Keeps the chunks until their total size exceeds `SMALL_BYTES` or the input ends. Then decides whether a thread is needed.
 * @param take called with one page at a time
 */
export function createImportRunner(
  port: FileSystemPort,
  job: ImportJob,
  pause: Pause,
  take: (page: StagedPage) => Promise<void>,
): StateImport {
  const canThread = port === nodeFileSystem && hasPackageFile(WORKER)
  if (!canThread) return runImportHere(port, job, pause, take)
  const kept: Uint8Array[] = []
  let bytes = 0
  let running: StateImport | undefined

  async function pushKept(started: StateImport): Promise<StateImport> {
    running = started
    for (const chunk of kept.splice(0)) await started.push(chunk)
    return started
  }

  return {
    async push(chunk) {
      if (running !== undefined) return await running.push(chunk)
      kept.push(chunk)
      bytes += chunk.length
      if (bytes > SMALL_BYTES) await pushKept(startImportThread(WORKER, job, take))
    },
    pushFile: async (path) => await (running ?? (await pushKept(startImportThread(WORKER, job, take)))).pushFile(path),
    endInput: async () => await (running ?? (await pushKept(runImportHere(port, job, pause, take)))).endInput(),
    writeStateFile: async (state) => await running?.writeStateFile(state),
    dispose: async () => await running?.dispose(),
  }
}

function runImportHere(
  port: FileSystemPort,
  { kind, seq, folder }: ImportJob,
  pause: Pause,
  take: (page: StagedPage) => Promise<void>,
): StateImport {
  const importer = new StateImporter(kind, seq)
  const staged = folder === undefined ? undefined : createStagedFolder(port, folder)

  async function takeAll(pages: Iterable<StagedPage | undefined>): Promise<void> {
    for (const page of pages) {
      if (page === undefined) await pause()
      else {
        await staged?.write(page)
        await take(page)
      }
    }
  }

  return {
    push: (chunk) => takeAll(importer.push(chunk)),
    async pushFile(path) {
      for await (const chunk of readPieces(port, path)) await takeAll(importer.push(chunk))
    },
    async endInput() {
      await takeAll(importer.end())
      return importer.summary()
    },
    writeStateFile: async (state) => await staged?.finish(state),
    dispose: async () => {},
  }
}
