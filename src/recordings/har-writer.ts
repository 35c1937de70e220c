// Writes a HAR file entry by entry. After each write the file is complete, so it stays valid if the process is stopped.
import type { HarEntry } from './har.ts'

/** The part of a `FileHandle` of node:fs/promises that writing needs. */
export interface HarFile {
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesWritten: number }>
  truncate(length: number): Promise<void>
}

export interface HarWriter {
  /** Resolves when the entry is in the file. Entries that wait for the same write share it. */
  add(entry: HarEntry): Promise<void>
  /** Resolves when all entries are in the file. Does not close the file. */
  flush(): Promise<void>
}

/** Ends the document. The next entry overwrites it. */
const END = '\n]}}\n'

/**
 * Writes the document without entries.
 * @param creator the version of the program that records
 */
export async function createHarWriter(file: HarFile, creator: { readonly version: string }): Promise<HarWriter> {
  const head = JSON.stringify({ version: '1.2', creator: { name: 'psp', version: creator.version } })
  const start = Buffer.from(`{"log":${head.slice(0, -1)},"entries":[`)
  await file.truncate(0)
  await writeAll(file, Buffer.concat([start, Buffer.from(END)]), 0)
  let position = start.length
  let isFirst = true
  let waiting: string[] = []
  let writing: Promise<void> | undefined

  /** Writes until no entry waits. Entries of one turn are written together. */
  async function drain(): Promise<void> {
    await Promise.resolve()
    try {
      while (waiting.length > 0) {
        const batch = Buffer.from(`${isFirst ? '' : ','}\n${waiting.join(',\n')}`)
        waiting = []
        await writeAll(file, Buffer.concat([batch, Buffer.from(END)]), position)
        isFirst = false
        position += batch.length
      }
    } catch (error) {
      await endAt(file, position)
      throw error
    } finally {
      writing = undefined
    }
  }

  function flush(): Promise<void> {
    writing ??= drain()
    return writing
  }

  return {
    add(entry) {
      waiting.push(JSON.stringify(entry))
      return flush()
    },
    flush,
  }
}

/** Removes an entry that was only partly written, such as on a full disk. */
async function endAt(file: HarFile, position: number): Promise<void> {
  try {
    await file.truncate(position)
    await writeAll(file, Buffer.from(END), position)
  } catch {
    // The error of the entry is reported.
  }
}

async function writeAll(file: HarFile, bytes: Uint8Array, position: number): Promise<void> {
  let offset = 0
  while (offset < bytes.length) {
    offset += (await file.write(bytes, offset, bytes.length - offset, position + offset)).bytesWritten
  }
}
