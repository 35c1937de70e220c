// Reads files that are always small, so that another file at their path cannot fill the memory.
import { readFileSync, statSync } from 'node:fs'

const MIB = 1024 * 1024

/**
 * Returns the bytes of a regular file.
 * @throws Error with the reason if it is longer than 1 MiB, or is not a file
 */
export function readSmallFile(path: string): Buffer {
  const found = statSync(path)
  // A pipe or a device could block the process.
  if (!found.isFile() && !found.isDirectory()) throw new Error('it is a pipe or a device')
  if (found.size > MIB) throw new Error('it is longer than 1 MiB')
  return readFileSync(path)
}
