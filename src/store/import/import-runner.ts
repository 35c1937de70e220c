// Runs an import, in a thread if possible. It returns the pages one by one.
import { hasPackageFile } from '../../package-files/package-files.ts'
import { readPieces } from '../folder/async-files.ts'
import { type FileSystemPort, nodeFileSystem } from '../folder/file-system.ts'
import type { ImportJob, StateImport } from './import-messages.ts'
import { startImportThread } from './import-thread.ts'
import type { Pause } from './prepared-tables.ts'
import { createStagedFolder } from './staged-folder.ts'
import { type StagedPage, StateImporter } from './state-importer.ts'

/** Exists only in the built package, because a thread cannot run TypeScript. */
const WORKER = new URL('./import-worker.js', import.meta.url)

/** @param take called with one page at a time */
export function createImportRunner(
  port: FileSystemPort,
  job: ImportJob,
  pause: Pause,
  take: (page: StagedPage) => Promise<void>,
): StateImport {
  const canThread = port === nodeFileSystem && hasPackageFile(WORKER)
  return canThread ? startImportThread(WORKER, job, take) : runImportHere(port, job, pause, take)
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
