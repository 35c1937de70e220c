// Replaces files atomically: readers see the whole old file or the whole new one, even after a crash.
import { type FileSystemPort, ignoreErrors, writeAll } from './file-system.ts'

/** A new version of a file. It has a temporary name until it is committed. */
export interface AtomicFile {
  readonly fd: number
  write(bytes: Uint8Array): void
  /** Makes the content, but not the new name, durable and renames the file. A failure removes the temporary file. */
  commit(): void
  /**
   * Like `commit`, without blocking the event loop.
   * @param check throws to prevent the rename
   */
  commitAsync(check?: () => void): Promise<void>
  /** Removes the temporary file. After a commit this is a no-op. */
  discard(): void
}

/** @param temporary a path on the same disk as `path` */
export function createAtomicFile(
  port: FileSystemPort,
  path: string,
  temporary = `${path}.tmp`,
  options: { readonly flags?: 'w' | 'wx'; readonly mode?: number } = {},
): AtomicFile {
  const fd = port.open(temporary, options.flags ?? 'w', options.mode)
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
  const file = createAtomicFile(port, path)
  try {
    for (const piece of pieces) file.write(piece)
    file.commit()
  } finally {
    file.discard()
  }
}
