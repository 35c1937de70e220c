// Bundles the store and its threads into a temporary folder, so that Node can run them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @returns the path of the module, and a function that deletes the folder */
export async function buildStore() {
  const outdir = mkdtempSync(join(tmpdir(), 'psp-store-build-'))
  const src = fileURLToPath(new URL('../src/store/', import.meta.url))
  await build({
    // The store starts its threads by URLs relative to its own file.
    entryPoints: {
      'checkpoint-worker': join(src, 'checkpoint/checkpoint-worker.ts'),
      'import-worker': join(src, 'import/import-worker.ts'),
    },
    stdin: { contents: "export * from './open-store.ts'\nexport * from './errors.ts'", resolveDir: src },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outdir,
  })
  writeFileSync(join(outdir, 'package.json'), '{"type":"module"}')
  return { path: join(outdir, 'stdin.js'), remove: () => rmSync(outdir, { recursive: true, force: true }) }
}
