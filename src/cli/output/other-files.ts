// Rejects an output file that the command also reads or writes for another purpose.
import { usageError } from '../failure.ts'
import type { HostProcess } from '../host-process.ts'
import { realPath, resolvePath } from '../input/files.ts'

/**
 * @param others other files that the command reads or writes
 * @throws CliError exit 2 if the file of the flag is one of them
 */
export function requireOtherFile(
  flag: string,
  file: string | undefined,
  others: readonly (string | undefined)[],
  host: HostProcess,
): void {
  if (file === undefined || file === '-') return
  const pathOf = (name: string) => realPath(resolvePath(host, name))
  const same = others.find((other) => other !== undefined && other !== '-' && pathOf(other) === pathOf(file))
  if (same === undefined) return
  throw usageError(`${flag} names ${same}, which this command also uses.`, `Name another file with ${flag}.`)
}
