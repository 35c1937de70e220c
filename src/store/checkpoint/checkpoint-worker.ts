// A thread of its own, started with a CheckpointJob: reads and writes pages while the main thread serves requests.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { ignoreErrors, nodeFileSystem } from '../folder/file-system.ts'
import { type CheckpointJob, checkpoint } from './checkpoint.ts'

const job: CheckpointJob = workerData

// On Linux this is the priority of the thread; elsewhere it would be that of the whole process.
if (job.isLowPriority && process.platform === 'linux') ignoreErrors(() => setPriority(0, 19))

parentPort?.postMessage(await checkpoint(nodeFileSystem, job))
