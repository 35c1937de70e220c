// Checks that the data directory is writable and that its disk has free space.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { fileReason } from '../../input/file-reason.ts'
import { dataFolder } from '../../input/resolve-path.ts'
import type { Session } from '../../session.ts'
import { type Found, fail, ok, warn } from './checks-contract.ts'

/** The file system functions that the check uses. */
export interface DiskPort {
  exists(path: string): boolean
  isFolder(path: string): boolean
  /** @throws if this user may not write there */
  writable(path: string): void
  /** Free bytes for this user; `undefined` if the system does not report them. */
  free(path: string): number | undefined
}

const MIB = 1024 * 1024
/** A journal grows to 20 MB before a checkpoint writes new pages, while the old ones still exist. */
const LITTLE = 200 * MIB
const NOTHING = 5 * MIB

const NAME_ANOTHER = 'Choose another directory with --data, or use --ephemeral to write nothing.'

export function checkDisk(session: Session, port: DiskPort = nodeDisk): Found {
  const { values } = session
  if (values.ephemeral) return ok('nothing is written: --ephemeral')
  const { dirname } = session.host.paths
  const folder = nearestThere(dataFolder(session), dirname, port)
  if (!port.isFolder(folder)) return fail(`${folder} is a file, not a directory`, NAME_ANOTHER)
  try {
    port.writable(folder)
  } catch (error) {
    return fail(
      `${folder} cannot be written to: ${fileReason(error)}`,
      `Give this user write permission. ${NAME_ANOTHER}`,
    )
  }
  const free = port.free(folder)
  if (free === undefined) return ok(`${values.data} can be written to`)
  const left = `${Math.floor(free / MIB)} MiB are free on the disk of ${values.data}`
  if (free < NOTHING) return fail(left, `Free some space: the disk is full. ${NAME_ANOTHER}`)
  if (free < LITTLE) return warn(left, `Free some space. ${NAME_ANOTHER}`)
  return ok(`${values.data} can be written to, ${left.replace(/ of .*/, '')}`)
}

function nearestThere(path: string, dirname: (path: string) => string, port: DiskPort): string {
  const above = dirname(path)
  return port.exists(path) || above === path ? path : nearestThere(above, dirname, port)
}

const nodeDisk: DiskPort = {
  exists: existsSync,
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  writable: (path) => accessSync(path, constants.W_OK),
  free(path) {
    try {
      const { bavail, bsize } = statfsSync(path)
      return bavail * bsize
    } catch {
      return undefined
    }
  },
}
