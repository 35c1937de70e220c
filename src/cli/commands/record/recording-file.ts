// The file of a recording. A failed write does not stop the traffic.
import { type FileHandle, open } from 'node:fs/promises'
import type { RecordedExchange } from '../../../recordings/exchange.ts'
import { exchangeEntry } from '../../../recordings/exchange-entry.ts'
import { createHarWriter } from '../../../recordings/har-writer.ts'
import type { Masking } from '../../../recordings/masking.ts'
import { fileReason, resolvePath } from '../../input/files.ts'
import { notWritten, requireReplaceable } from '../../output/write-file.ts'
import type { Session } from '../../session.ts'
import { VERSION } from '../../version.ts'

export interface RecordingFile {
  add(exchange: RecordedExchange): void
  /** The exchanges in the file. */
  count(): number
  /** The exchanges that could not be written. */
  lost(): number
  /** Waits for pending writes. */
  close(): Promise<void>
}

interface RecordingOptions {
  readonly force: boolean
  readonly masking: Masking
  readonly session: Session
}

/** Creates the file, which only this user may read. @throws CliError if it exists or cannot be written */
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
    return recordingFile(
      file,
      async (exchange) => writer.add(await exchangeEntry(exchange, masking)),
      (error) => {
        out.warn(`${name} cannot be written: ${fileReason(error)}. Requests still pass through, but are not recorded.`)
      },
    )
  } catch (error) {
    await file?.close()
    throw notWritten(name, error)
  }
}

function recordingFile(
  file: FileHandle,
  write: (exchange: RecordedExchange) => Promise<void>,
  onFirstFailure: (error: unknown) => void,
): RecordingFile {
  let count = 0
  let lost = 0
  const pending = new Set<Promise<void>>()
  const failed = (error: unknown) => {
    if (lost++ === 0) onFirstFailure(error)
  }
  return {
    add(exchange) {
      const written = write(exchange)
        .then(() => void count++, failed)
        .finally(() => pending.delete(written))
      pending.add(written)
    },
    count: () => count,
    lost: () => lost,
    async close() {
      await Promise.all(pending)
      await file.close()
    },
  }
}
