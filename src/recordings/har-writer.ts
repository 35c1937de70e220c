// Writes a HAR file entry by entry. After each write the file is complete, so it stays valid if the process is stopped.
import type { HarEntry } from './har.ts'

/** The part of a `FileHandle` of node:fs/promises that writing needs. */
export interface HarFile {
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesWritten: number }>
  truncate(length: number): Promise<void>
  stat(): Promise<{ readonly size: number; isFile(): boolean }>
}

export interface HarWriter {
  /** Resolves when the entry is in the file. Rejects if the write failed. Waiting entries share a write. */
  add(entry: HarEntry): Promise<void>
  /** Resolves after the last write. Rejects if that write failed. Does not close the file. */
  flush(): Promise<void>
  /** Whether the file still has the length that this writer gave it. Always true if it is not a regular file. */
  isIntact(): Promise<boolean>
}

/** Ends the document. The next entry overwrites it. */
const END = Buffer.from('\n]}}\n')

/**
 * Writes the document without entries.
 * @param creator the version of the program that records
 */
export async function createHarWriter(file: HarFile, creator: { readonly version: string }): Promise<HarWriter> {
  const head = JSON.stringify({ version: '1.2', creator: { name: 'psp', version: creator.version } })
  const start = Buffer.from(`{"log":${head.slice(0, -1)},"entries":[`)
  await file.truncate(0)
  await writeAll(file, Buffer.concat([start, END]), 0)
  const hasSize = (await file.stat()).isFile()
  let position = start.length
  let isFirst = true
  let waiting: string[] = []
  /** The write that will contain the waiting entries. */
  let next: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()
  /** A write has failed, and the end of the document could not be restored. */
  let isOpenEnded = false

  const isIntact = async () => !hasSize || (await file.stat()).size === position + END.length

  async function writeWaiting(): Promise<void> {
    const batch = Buffer.from(`${isFirst ? '' : ','}\n${waiting.join(',\n')}`)
    waiting = []
    next = undefined
    if (isOpenEnded) await restoreEnd()
    else if (!(await isIntact())) throw new Error('it was removed or replaced')
    try {
      await writeAll(file, Buffer.concat([batch, END]), position)
    } catch (error) {
      isOpenEnded = true
      // The caller gets the error of the first write.
      await restoreEnd().catch(() => {})
      throw error
    }
    isFirst = false
    position += batch.length
  }

  /**
   * Removes entries that were only partly written. The end of the document is written before the file is truncated,
   * because the space for it is still available on a full disk.
   */
  async function restoreEnd(): Promise<void> {
    await writeAll(file, END, position)
    await file.truncate(position + END.length)
    isOpenEnded = false
  }

  return {
    add(entry) {
      waiting.push(JSON.stringify(entry))
      if (next === undefined) {
        next = last.catch(() => {}).then(writeWaiting)
        last = next
      }
      return next
    },
    flush: () => last,
    isIntact,
  }
}

async function writeAll(file: HarFile, bytes: Uint8Array, position: number): Promise<void> {
  let offset = 0
  while (offset < bytes.length) {
    offset += (await file.write(bytes, offset, bytes.length - offset, position + offset)).bytesWritten
  }
}
