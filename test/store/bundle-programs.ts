import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'
import type { openStore } from '../../src/store/open-store.ts'

/** Bundles sources as programs that Node can run, in one directory. Returns their paths. */
export async function bundlePrograms(...sources: URL[]): Promise<string[]> {
  const outdir = mkdtempSync(join(tmpdir(), 'psp-program-'))
  onTestFinished(() => rmSync(outdir, { recursive: true, force: true }))
  const entryPoints = sources.map((url) => ({ in: fileURLToPath(url), out: basename(url.pathname, '.ts') }))
  const outExtension = { '.js': '.mjs' }
  await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', target: 'node20', outdir, outExtension })
  return entryPoints.map(({ out }) => join(outdir, `${out}.mjs`))
}

/** Bundles the store with the program of one of its threads. Returns the store and the path of that program. */
export async function bundleStore(thread: URL): Promise<{ openStore: typeof openStore; program: string }> {
  const [store = '', bundled = ''] = await bundlePrograms(
    new URL('../../src/store/open-store.ts', import.meta.url),
    thread,
  )
  const program = join(dirname(bundled), `${basename(thread.pathname, '.ts')}.js`)
  renameSync(bundled, program)
  writeFileSync(join(dirname(bundled), 'package.json'), '{"type":"module"}')
  return { ...(await import(store)), program }
}
