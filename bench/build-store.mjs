// The store's sources as modules that Node can run, with the checkpoint thread beside them, in a temporary folder.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @returns the path of the module, and what removes it */
export async function buildStore() {
  const outdir = mkdtempSync(join(tmpdir(), 'psp-store-build-'))
  const src = fileURLToPath(new URL('../src/store/', import.meta.url))
  await build({
    entryPoints: [join(src, 'index.ts'), join(src, 'checkpoint-worker.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outdir,
  })
  writeFileSync(join(outdir, 'package.json'), '{"type":"module"}')
  return { path: join(outdir, 'index.js'), remove: () => rmSync(outdir, { recursive: true, force: true }) }
}
