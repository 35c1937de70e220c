// Files and stdin, as bytes.
import { readFile } from 'node:fs/promises'
import { usage } from './failure.ts'
import { fileReason } from './file-reason.ts'
import type { Host } from './host.ts'
import { namedPath } from './named-path.ts'

/** The bytes of a file, or of stdin for `-`; nothing is trimmed or decoded. */
export async function readInput(path: string, host: Host): Promise<Buffer> {
  if (path === '-') {
    const chunks: Uint8Array[] = []
    for await (const chunk of host.stdin) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  try {
    return await readFile(namedPath(host, path))
  } catch (error) {
    throw usage(`${path} cannot be read: ${fileReason(error)}.`, 'Name a file, or - for stdin.')
  }
}
