// Files that take another's place whole: a reader, and a crash, see the old one or the new one.
import { type FileSystemPort, ignoreErrors, writeAll } from './file-system.ts'

/** A file under a temporary name. */
export interface AtomicFile {
  readonly fd: number
  write(bytes: Uint8Array): void
  /** Makes the content durable and gives it its name, which is not durable yet. If it fails, nothing of it stays. */
  commit(): void
  /** The same, without stopping the event loop while the content becomes durable. @param check may throw, last of all */
  commitAsync(check?: () => void): Promise<void>
  /** Also after a commit, where it does nothing. */
  discard(): void
}

/** @param temporary in the folder of `path`, or in another one of its disk */
export function createAtomicFile(
  port: FileSystemPort,
  path: string,
  temporary = `${path}.tmp`,
  how: { readonly flags?: 'w' | 'wx'; readonly mode?: number } = {},
): AtomicFile {
  const fd = port.open(temporary, how.flags ?? 'w', how.mode)
  let isOpen = true

  function discard(): void {
    if (!isOpen) return
    isOpen = false
    ignoreErrors(() => port.close(fd))
    ignoreErrors(() => port.remove(temporary))
  }

  function rename(): void {
    isOpen = false
    try {
      port.close(fd)
      port.rename(temporary, path)
    } catch (error) {
      ignoreErrors(() => port.remove(temporary))
      throw error
    }
  }

  return {
    fd,
    discard,
    write: (bytes) => writeAll(port, fd, bytes),
    commit() {
      try {
        port.sync(fd)
      } catch (error) {
        discard()
        throw error
      }
      rename()
    },
    async commitAsync(check = () => {}) {
      try {
        await port.datasync(fd)
        check()
      } catch (error) {
        discard()
        throw error
      }
      rename()
    },
  }
}

export function writeAtomicFile(port: FileSystemPort, path: string, pieces: Iterable<Uint8Array>): void {
  const replacement = createAtomicFile(port, path)
  try {
    for (const piece of pieces) replacement.write(piece)
    replacement.commit()
  } finally {
    replacement.discard()
  }
}
