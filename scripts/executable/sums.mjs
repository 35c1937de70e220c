// Writes the checksums of the files in release/.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function writeSums(folder) {
  const names = readdirSync(folder).filter((name) => /^psp[-_]/.test(name))
  const sumOf = (name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  writeFileSync(join(folder, 'SHA256SUMS'), names.map((name) => `${sumOf(name)}  ${name}\n`).join(''))
}
