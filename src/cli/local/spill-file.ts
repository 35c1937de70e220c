// A temporary file for data that is too large for memory. If the system allows it, its name is removed while it is
// open, so a killed process leaves no file. Otherwise the next command of the same kind removes it.
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { CliError } from '../failure.ts'
import { createTempDir } from './temp-dir.ts'

export interface SpillFile {
  /** Returns the position of the bytes. */
  append(bytes: Uint8Array): number
  read(at: number, length: number): Buffer
  close(): void
}

/** Bytes that are buffered before they are written. */
const BUFFER = 1024 * 1024

/** @throws CliError if the temporary directory cannot be used or is full */
export function createSpillFile(pid: number): SpillFile {
  const { file, remove } = whileWriting(() => createUnnamedFile(pid))
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let written = 0

  function flush(): void {
    const bytes = Buffer.concat(waiting)
    whileWriting(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, written + at)
    })
    written += bytes.length
    waiting = []
    waitingBytes = 0
  }

  return {
    append(bytes) {
      const at = written + waitingBytes
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (waitingBytes >= BUFFER) flush()
      return at
    },
    read(at, length) {
      if (at + length > written) flush()
      const bytes = Buffer.allocUnsafe(length)
      for (let done = 0; done < length; ) {
        const count = readSync(file, bytes, done, length - done, at + done)
        if (count === 0) throw new RangeError(`The temporary file has no byte ${at + done}.`)
        done += count
      }
      return bytes
    },
    close() {
      closeSync(file)
      remove()
    },
  }
}

function createUnnamedFile(pid: number) {
  const { path, remove } = createTempDir('compare', pid)
  const file = openSync(join(path, 'data'), 'wx+', 0o600)
  try {
    remove()
  } catch {
    // Some systems do not remove the name of an open file. `close` removes it there.
  }
  return { file, remove }
}

function whileWriting<T>(write: () => T): T {
  try {
    return write()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const what = code === 'ENOSPC' ? 'The temporary directory is full.' : 'The temporary directory cannot be used.'
    throw new CliError('failed', what, 'Free some space, or name another directory with TMPDIR.', 'temp_dir_unusable')
  }
}
