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

/** Starting a thread takes longer than reading this many bytes. */
const SMALL_BYTES = 64 * 1024

/**
 * Buffers chunks until it knows whether there are more than `SMALL_BYTES`. A file is read in a thread at once.
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
  const buffered: Uint8Array[] = []
  let bytes = 0
  let running: StateImport | undefined

  async function pushBuffered(started: StateImport): Promise<StateImport> {
    running = started
    for (const chunk of buffered.splice(0)) await started.push(chunk)
    return started
  }

  return {
    async push(chunk) {
      if (running !== undefined) return await running.push(chunk)
      buffered.push(chunk)
      bytes += chunk.length
      if (bytes > SMALL_BYTES) await pushBuffered(startImportThread(WORKER, job, take))
    },
    pushFile: async (path) =>
      await (running ?? (await pushBuffered(startImportThread(WORKER, job, take)))).pushFile(path),
    endInput: async () => await (running ?? (await pushBuffered(runImportHere(port, job, pause, take)))).endInput(),
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
