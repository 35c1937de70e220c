import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'

/** Sources as programs that Node can run, side by side. @returns their paths */
export async function bundlePrograms(...sources: URL[]): Promise<string[]> {
  const outdir = mkdtempSync(join(tmpdir(), 'psp-program-'))
  onTestFinished(() => rmSync(outdir, { recursive: true, force: true }))
  const entryPoints = sources.map((url) => ({ in: fileURLToPath(url), out: basename(url.pathname, '.ts') }))
  const outExtension = { '.js': '.mjs' }
  await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', target: 'node20', outdir, outExtension })
  return entryPoints.map(({ out }) => join(outdir, `${out}.mjs`))
}
