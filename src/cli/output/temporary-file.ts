// The temporary files next to the files that psp writes. Their names contain the pid, to find stale ones.
import { lstatSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type FileSystemPort, ignoreErrors, nodeFileSystem } from '../../store/folder/file-system.ts'
import { isAlive, pidNamespace } from '../../store/folder/process-identity.ts'
import { CliError } from '../failure.ts'
import { realPath } from '../input/files.ts'

/** A process in another container is not visible here. Its temporary file is stale after this many ms. */
const STALE_AFTER = 60 * 60 * 1000

/** Returns `.psp-<pid>-<namespace>-<name>.tmp` in the directory of `path`. */
export function temporaryPath(path: string, pid = process.pid, namespace = pidNamespace()): string {
  return join(dirname(path), `.psp-${pid}-${tagOf(namespace)}-${shortName(path)}.tmp`)
}

/**
 * Removes the temporary files for `path` whose process has exited. Never throws.
 * @param current a file just created in this directory; its modification time is the current time of that file system
 * @param ofAnyFile also removes the temporary files for other files of the directory
 */
export function removeStaleFiles(port: FileSystemPort, path: string, current: string, ofAnyFile = false): void {
  ignoreErrors(() => {
    for (const { file, pid, tag, target } of temporaryFiles(port, path)) {
      if (!ofAnyFile && target !== shortName(path)) continue
      if (file === current || !isOwnFile(file)) continue
      const age = (port.modified(current) ?? 0) - (port.modified(file) ?? 0)
      if (isVisible(tag) ? !isAlive(pid, undefined) : age > STALE_AFTER) ignoreErrors(() => port.remove(file))
    }
  })
}

/**
 * Reserves a file that a command writes for a long time, because two writers would overwrite each other. Returns a
 * function that releases it.
 * @param name of the file, for messages
 * @throws CliError exit 9 if another process writes the file; the system error if the folder is not writable
 */
export function reserveFile(name: string, path: string): () => void {
  const port = nodeFileSystem
  const target = realPath(path)
  const mine = temporaryPath(target)
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

/** Returns the id of another process that has a temporary file for `path`. Call `removeStaleFiles` first. */
function otherWriter(port: FileSystemPort, path: string, mine: string): number | undefined {
  const target = shortName(path)
  return temporaryFiles(port, path).find((found) => found.file !== mine && found.target === target)?.pid
}

interface TemporaryFile {
  readonly file: string
  readonly pid: number
  /** Identifies the PID namespace. */
  readonly tag: string
  /** The name of the file that it will replace, shortened by {@link shortName}. */
  readonly target: string
}

function temporaryFiles(port: FileSystemPort, path: string): TemporaryFile[] {
  const folder = dirname(path)
  return [...port.list(folder)].flatMap((name): TemporaryFile[] => {
    const [, pid = '', tag = '', target] = /^\.psp-(\d+)-([0-9a-z]+)-(.*)\.tmp(?:\.new)?$/s.exec(name) ?? []
    return target === undefined ? [] : [{ file: join(folder, name), pid: Number(pid), tag, target }]
  })
}

const isVisible = (tag: string) => tag === tagOf(pidNamespace())

/** Returns at most 50 characters of the name, so that the name of the temporary file has at most 255 bytes. */
function shortName(path: string): string {
  return basename(path).slice(0, 50)
}

function tagOf(namespace: string): string {
  return crc32(Buffer.from(namespace)).toString(36)
}

function isOwnFile(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.uid === (process.getuid?.() ?? found.uid)
}
