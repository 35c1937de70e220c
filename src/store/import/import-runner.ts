// Runs the intake of a state, in a thread if there is one to be had. Pages come back one by one.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readPieces } from '../folder/async-files.ts'
import { type FileSystemPort, nodeFileSystem } from '../folder/file-system.ts'
import type { Intake, IntakeJob } from './import-messages.ts'
import { intakeThread } from './import-thread.ts'
import type { Pause } from './prepared-tables.ts'
import { createStagedFolder } from './staged-folder.ts'
import { type StagedPage, StateIntake } from './state-importer.ts'

/** Present in the built package only: a thread cannot run the sources. */
const WORKER = new URL('./import-worker.js', import.meta.url)

/** @param take is called with one page at a time */
export function createIntake(
  port: FileSystemPort,
  job: IntakeJob,
  pause: Pause,
  take: (page: StagedPage) => Promise<void>,
): Intake {
  const canThread = port === nodeFileSystem && existsSync(fileURLToPath(WORKER))
  return canThread ? intakeThread(WORKER, job, take) : intakeHere(port, job, pause, take)
}

function intakeHere(
  port: FileSystemPort,
  { kind, seq, folder }: IntakeJob,
  pause: Pause,
  take: (page: StagedPage) => Promise<void>,
): Intake {
  const intake = new StateIntake(kind, seq)
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
    push: (chunk) => takeAll(intake.push(chunk)),
    async pushFile(path) {
      for await (const chunk of readPieces(port, path)) await takeAll(intake.push(chunk))
    },
    async end() {
      await takeAll(intake.end())
      return intake.summary()
    },
    finish: async (state) => await staged?.finish(state),
    stop: async () => {},
  }
}
