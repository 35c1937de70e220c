// Writes findings to a folder. The files of earlier searches are kept.
import { join } from 'node:path'
import { errorCode } from '../store/errors.ts'
import { createAtomicFile } from '../store/folder/atomic-file.ts'
import { type FileSystemPort, nodeFileSystem } from '../store/folder/file-system.ts'
import type { Finding } from './finding.ts'
import { findingDocument } from './finding-file.ts'

/**
 * Writes the finding under the first free name: `1.json`, `2.json` and so on. If one of the files before it already has
 * the same content, no file is written.
 * @returns the name of the file with the finding
 * @throws the system error. No file is then left behind.
 */
export function saveFinding(folder: string, finding: Finding, port: FileSystemPort = nodeFileSystem): string {
  const text = `${JSON.stringify(findingDocument(finding), null, 2)}\n`
  for (let number = 1; ; number++) {
    const name = `${number}.json`
    const path = join(folder, name)
    if (port.stat(path) === undefined && tryCreate(path, text, port)) return name
    if (contentOf(path, port) === text) return name
  }
}

/** Creates the file. Returns false if it exists, because another search may create it at any time. */
function tryCreate(path: string, text: string, port: FileSystemPort): boolean {
  const temporary = `${path}.${process.pid}.tmp`
  const file = createAtomicFile({ ...port, rename: renameToNew(port) }, path, temporary, { mode: 0o666 })
  try {
    file.write(Buffer.from(text))
    file.commit()
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    file.discard()
  }
}

/**
 * Returns a rename that fails if the target exists. A plain rename would replace the file of another search, but a link
 * does not. File systems without links get a plain rename.
 */
function renameToNew(port: FileSystemPort): FileSystemPort['rename'] {
  return (from, to) => {
    try {
      port.link(from, to)
      port.remove(from)
    } catch (error) {
      if (port.stat(to) !== undefined) throw error
      port.rename(from, to)
    }
  }
}

function contentOf(path: string, port: FileSystemPort): string | undefined {
  try {
    return port.read(path)?.toString('utf8')
  } catch {
    return undefined
  }
}
