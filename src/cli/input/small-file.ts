// Reads files that should be small. The size limit keeps a wrong file at the path from filling the memory.
import { readFileSync, statSync } from 'node:fs'

const MIB = 1024 * 1024

/**
 * Returns the bytes of a regular file.
 * @throws Error with the reason if the file is longer than 1 MiB or is not a regular file
 */
export function readSmallFile(path: string): Buffer {
  const found = statSync(path)
  // A pipe or a device could block the process.
  if (!found.isFile() && !found.isDirectory()) throw new Error('it is a pipe or a device')
  if (found.size > MIB) throw new Error('it is longer than 1 MiB')
  return readFileSync(path)
}
