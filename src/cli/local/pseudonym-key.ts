// The key of pseudonyms, in the data directory: a value has the same pseudonym in every import.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { systemRandomness } from '../../random.ts'
import { errorCode } from '../../store/errors.ts'
import { CliError } from '../failure.ts'
import { dataFolder, fileReason, readSmallFile } from '../input/files.ts'
import type { Session } from '../session.ts'
import { findDirectoryServer } from './find-directory-server.ts'

const FILE = 'pseudonym-key'
/** Characters of a new key. A stored key may be longer. */
const LENGTH = 32

type KeyContext = Pick<Session, 'host' | 'values' | 'config'>

/**
 * Returns the stored key, or a new one, which is stored only if there is a data directory.
 * @throws CliError if the stored key is damaged, because a new key would give different pseudonyms
 */
export function readPseudonymKey(session: KeyContext): Buffer {
  const { folder, path } = locate(session)
  const stored = readKey(path)
  if (stored !== undefined) return stored
  const key = systemRandomness().token(LENGTH)
  if (!existsSync(folder)) return Buffer.from(key)
  try {
    writeFileSync(path, `${key}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // Another command has just written it.
    if (errorCode(error) === 'EEXIST') return readKey(path) ?? Buffer.from(key)
    // On a full disk, an incomplete file remains. Later commands would reject it as damaged.
    rmSync(path, { force: true })
  }
  return Buffer.from(key)
}

/** Prints a note if {@link readPseudonymKey} could not store its key: without a writable data directory. */
export function noteUnstoredKey(session: KeyContext & Pick<Session, 'out'>): void {
  const { folder, path } = locate(session)
  if (existsSync(path)) return
  const why = existsSync(folder) ? `${path} cannot be written` : `the data directory ${folder} does not exist`
  const { out } = session
  out.aside(
    out.notePaint.dim(
      `The key of the pseudonyms is not stored, because ${why}. Another recording or import gets other pseudonyms. To keep the key, name an existing data directory with --data.`,
    ),
  )
}

/** Returns the path of the file with the key. The file may be missing. */
export function pseudonymKeyFile(session: KeyContext): string {
  return locate(session).path
}

/**
 * Returns the stored key; `undefined` if there is none.
 * @throws CliError if the stored key is damaged
 */
export function storedPseudonymKey(session: KeyContext): Buffer | undefined {
  return readKey(locate(session).path)
}

function locate(session: KeyContext): { folder: string; path: string } {
  const folder = findDirectoryServer(session)?.parentData ?? dataFolder(session)
  return { folder, path: session.host.paths.join(folder, FILE) }
}

/** Returns `undefined` if there is no file. */
function readKey(path: string): Buffer | undefined {
  let key: string
  try {
    key = readSmallFile(path).toString('utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw damaged(path, fileReason(error))
  }
  if (key.length < LENGTH) throw damaged(path, `it has ${key.length} of at least ${LENGTH} characters`)
  return Buffer.from(key)
}

function damaged(path: string, why: string): CliError {
  return new CliError(
    'failed',
    `${path} is damaged: ${why}.`,
    'Restore the file from a backup, or delete it: later imports then get different pseudonyms.',
    'damaged_pseudonym_key',
  )
}
