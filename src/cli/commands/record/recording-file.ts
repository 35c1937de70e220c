import { lstatSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { VERSION } from '../../../domain/version.ts'
import type { SignatureChecker } from '../../../recordings/check-signature.ts'
import { exchangeEntry } from '../../../recordings/exchange-entry.ts'
import { createHarWriter, type HarWriter } from '../../../recordings/har-writer.ts'
import type { Masking } from '../../../recordings/masking.ts'
import { errorCode } from '../../../store/errors.ts'
import { CliError, usageError } from '../../failure.ts'
import { fileReason, rejectStdout, requireReplaceable, resolvePath } from '../../input/files.ts'
import { reserveFile, temporaryPath } from '../../output/temporary-file.ts'
import { IN_PLACE_CODES, notWritten } from '../../output/write-file.ts'
import type { Session } from '../../session.ts'
import { createPendingWrites, type PendingWrites } from './pending-writes.ts'

export interface RecordingFile extends Pick<PendingWrites, 'add' | 'count' | 'lost'> {
  /** False if the file was removed, replaced or truncated. */
  isInPlace(): boolean
  close(): Promise<void>
}

/** Maximum bytes of bodies in pending writes. */
const MAX_PENDING = 128 * 1024 * 1024

interface RecordingOptions {
  readonly force: boolean
  readonly masking: Masking
  readonly check: SignatureChecker
  readonly session: Session
}

/**
 * Rejects stdout, a pipe or a device: each exchange replaces the end of the file, and opening a pipe would block.
 * @throws CliError exit 2
 */
export function requireRegularFile(name: string, host: Session['host']): void {
  const hint = 'The end of the file is written again after each exchange. Name a file: --out session.har'
  rejectStdout('--out', name, hint)
  let found: Stats | undefined
  try {
    found = statSync(resolvePath(host, name), { throwIfNoEntry: false })
  } catch (error) {
    throw notWritten(name, error)
  }
  if (found === undefined || found.isFile() || found.isDirectory()) return
  throw usageError(`${name} is a pipe or a device, and a recording needs a file.`, hint)
}

/**
 * Creates the file, which only this user may read.
 * @throws CliError if the file already exists without `force`, cannot be written, or is written by another process
 */
export async function createRecordingFile(
  name: string,
  { force, masking, check, session }: RecordingOptions,
): Promise<RecordingFile> {
  const { host, out } = session
  requireReplaceable(name, { force, host })
  const path = resolvePath(host, name)
  let file: FileHandle | undefined
  let release: (() => void) | undefined
  try {
    release = reserveFile(name, path)
    const started = await replaceFile(path)
    file = started.file
    const { writer } = started
    const [opened, releaseFile] = [file, release]
    const { ino, dev } = await opened.stat()
    let inPlace = true
    const checkInPlace = async () => {
      const found = await stat(path).catch(() => undefined)
      inPlace &&= found?.ino === ino && found.dev === dev
    }
    const writes = createPendingWrites({
      async write(exchange) {
        await writer.add(await exchangeEntry(exchange, masking, check))
        await checkInPlace()
        if (!inPlace) throw new Error('it was removed or replaced')
      },
      limit: MAX_PENDING,
      onFirstLoss(error) {
        out.warn(`${name} cannot be written: ${fileReason(error)}. Requests still pass through, but are not recorded.`)
      },
    })
    return {
      ...writes,
      isInPlace: () => inPlace,
      async close() {
        await writes.settled()
        await checkInPlace()
        inPlace &&= await writer.isIntact()
        await opened.close()
        releaseFile?.()
      },
    }
  } catch (error) {
    await file?.close()
    release?.()
    throw error instanceof CliError ? error : notWritten(name, error)
  }
}

interface StartedFile {
  readonly file: FileHandle
  readonly writer: HarWriter
}

/** Starts a new file. An existing file is kept until the beginning of the new one is on the disk. */
async function replaceFile(path: string): Promise<StartedFile> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === true) {
    // `reserveFile` already uses the temporary path.
    const temporary = `${temporaryPath(path)}.new`
    try {
      return await startFile(temporary, () => rename(temporary, path))
    } catch (error) {
      await rm(temporary, { force: true })
      if (!IN_PLACE_CODES.includes(errorCode(error) ?? '')) throw error
    }
  }
  return await startFile(path)
}

async function startFile(path: string, finish = async () => {}): Promise<StartedFile> {
  const file = await open(path, 'w', 0o600)
  try {
    const writer = await createHarWriter(file, { version: VERSION })
    await finish()
    return { file, writer }
  } catch (error) {
    await file.close()
    throw error
  }
}
