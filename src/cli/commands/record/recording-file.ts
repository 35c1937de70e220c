// The file of a recording.
import { type FileHandle, open } from 'node:fs/promises'
import { exchangeEntry } from '../../../recordings/exchange-entry.ts'
import { createHarWriter } from '../../../recordings/har-writer.ts'
import type { Masking } from '../../../recordings/masking.ts'
import { fileReason, resolvePath } from '../../input/files.ts'
import { notWritten, requireReplaceable } from '../../output/write-file.ts'
import type { Session } from '../../session.ts'
import { VERSION } from '../../version.ts'
import { createPendingWrites, type PendingWrites } from './pending-writes.ts'

export interface RecordingFile extends Pick<PendingWrites, 'add' | 'count' | 'lost'> {
  /** Waits for pending writes. */
  close(): Promise<void>
}

/** Bytes of bodies that may wait for the disk. */
const MAX_PENDING = 128 * 1024 * 1024

interface RecordingOptions {
  readonly force: boolean
  readonly masking: Masking
  readonly session: Session
}

/**
 * Creates the file, which only this user may read.
 * @throws CliError if it exists or cannot be written
 */
export async function openRecording(
  name: string,
  { force, masking, session }: RecordingOptions,
): Promise<RecordingFile> {
  const { host, out } = session
  requireReplaceable(name, { force, host })
  let file: FileHandle | undefined
  try {
    file = await open(resolvePath(host, name), 'w', 0o600)
    const writer = await createHarWriter(file, { version: VERSION })
    const opened = file
    const writes = createPendingWrites({
      write: async (exchange) => writer.add(await exchangeEntry(exchange, masking)),
      limit: MAX_PENDING,
      onFirstLoss(error) {
        out.warn(`${name} cannot be written: ${fileReason(error)}. Requests still pass through, but are not recorded.`)
      },
    })
    return {
      ...writes,
      async close() {
        await writes.settled()
        await opened.close()
      },
    }
  } catch (error) {
    await file?.close()
    throw notWritten(name, error)
  }
}
