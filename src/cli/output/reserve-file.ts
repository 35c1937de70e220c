// Reserves a file that a command writes for a long time, because two writers would overwrite each other.
import { writeFileSync } from 'node:fs'
import { ignoreErrors, nodeFileSystem } from '../../store/folder/file-system.ts'
import { CliError } from '../failure.ts'
import { realPath } from '../input/files.ts'
import { atomicWritePath, otherWriter, removeStaleFiles } from './atomic-write-path.ts'

/**
 * Reserves the file and returns a function that releases it.
 * @param name of the file, for messages
 * @throws CliError exit 9 if another process writes the file; the system error if the folder is not writable
 */
export function reserveFile(name: string, path: string): () => void {
  const port = nodeFileSystem
  const target = realPath(path)
  const mine = atomicWritePath(target)
  writeFileSync(mine, '', { mode: 0o600 })
  const release = () => {
    process.off('exit', release)
    ignoreErrors(() => port.remove(mine))
  }
  // A second signal ends the process at once.
  process.once('exit', release)
  // Recordings often have new names. So temporary files of killed processes are removed for all files of the directory.
  removeStaleFiles(port, target, mine, true)
  const other = otherWriter(port, target, mine)
  if (other === undefined) return release
  release()
  throw new CliError('busy', `Process ${other} is writing ${name}.`, 'End that process, or name another file.')
}
