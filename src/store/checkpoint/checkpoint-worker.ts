// The checkpoint thread. It gets a CheckpointJob, and moves changes into the pages while the main thread serves requests.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { ignoreErrors, nodeFileSystem } from '../folder/file-system.ts'
import { type CheckpointJob, checkpoint } from './checkpoint.ts'

const job: CheckpointJob = workerData

// On Linux this sets the priority of the thread. On other systems it would set that of the process.
if (job.isLowPriority && process.platform === 'linux') ignoreErrors(() => setPriority(0, 19))

parentPort?.postMessage(await checkpoint(nodeFileSystem, job))
