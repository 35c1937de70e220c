import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { onTestFinished } from 'vitest'

/** A file of this folder as a program that Node can run. */
export function bundled(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'psp-program-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const outfile = join(folder, 'program.mjs')
  const entry = fileURLToPath(new URL(name, import.meta.url))
  buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', target: 'node20', outfile })
  return outfile
}
