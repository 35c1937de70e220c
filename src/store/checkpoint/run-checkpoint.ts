import { hasPackageFile, startPackageThread } from '../../package-files/package-files.ts'
import { type FileSystemPort, nodeFileSystem } from '../folder/file-system.ts'
import { type CheckpointJob, type CheckpointResult, checkpoint } from './checkpoint.ts'

/** This file exists only in the built package. Without it the checkpoint runs in the main thread. */
const WORKER = new URL('./checkpoint-worker.js', import.meta.url)

/**
 * Runs a checkpoint, in a thread if requested and possible.
 * @throws the errors of {@link checkpoint}
 */
export async function runCheckpoint(
  port: FileSystemPort,
  job: CheckpointJob,
  inThread: boolean,
): Promise<CheckpointResult> {
  const canThread = port === nodeFileSystem && hasPackageFile(WORKER)
  return inThread && canThread ? runInThread(job) : checkpoint(port, job)
}

function runInThread(job: CheckpointJob): Promise<CheckpointResult> {
  return new Promise((resolve, reject) => {
    const worker = startPackageThread(WORKER, { workerData: job, resourceLimits: { maxYoungGenerationSizeMb: 8 } })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the checkpoint thread ended with code ${code}`)))
  })
}
