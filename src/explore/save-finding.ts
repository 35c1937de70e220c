// Writes findings to a folder. The files of earlier searches are kept.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from './finding.ts'
import { findingDocument } from './finding-file.ts'

/**
 * Writes the finding under the first free name: `1.json`, `2.json` and so on. If an earlier search wrote the same finding,
 * its file is used.
 * @returns the name of the file
 * @throws the system error
 */
export function saveFinding(folder: string, finding: Finding): string {
  const text = `${JSON.stringify(findingDocument(finding), null, 2)}\n`
  for (let number = 1; ; number++) {
    const name = `${number}.json`
    const path = join(folder, name)
    if (isCreated(path, text) || contentOf(path) === text) return name
  }
}

/** Returns false if there is such a file. Another search may create it at any time. */
function isCreated(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
