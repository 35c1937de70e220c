// The checkpoint thread. It moves changes into the pages while the main thread serves requests.
import { parentPort, workerData } from 'node:worker_threads'
import { nodeFileSystem } from '../folder/file-system.ts'
import { lowerThreadPriority } from '../thread-priority.ts'
import { type CheckpointJob, checkpoint } from './checkpoint.ts'

const job: CheckpointJob = workerData

if (job.isLowPriority) lowerThreadPriority()

// Without `await`, because the executable contains this module as a script. A rejection ends the thread.
void checkpoint(nodeFileSystem, job).then((result) => parentPort?.postMessage(result))
