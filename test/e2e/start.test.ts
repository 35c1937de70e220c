// What `psp serve` starts from: one file, and what V8 made of it in an earlier run. Works on a copy of the package.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url).pathname
/** Newer ones have a cache of their own, in a place of their own. */
const OWN_CACHE = !('enableCompileCache' in process.getBuiltinModule('module'))

let copy: string
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'psp-start-'))
  for (const part of ['bin', 'dist', 'fixtures', 'package.json']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true, filter: (path) => !path.endsWith('dist/cache') })
  }
})
afterEach(() => {
  chmodSync(join(copy, 'dist'), 0o755)
  rmSync(copy, { recursive: true, force: true })
})

const cached = () => (existsSync(join(copy, 'dist/cache')) ? readdirSync(join(copy, 'dist/cache')) : [])

/** Starts, answers, ends; tells what it wrote to stderr. */
async function serveOnce() {
  const server = execa(process.execPath, [join(copy, 'bin/psp.js'), 'serve', '--ephemeral', '--port', '0', '--json'], {
    timeout: 150_000,
    reject: false,
  })
  for await (const line of server.iterable()) {
    const { type, url } = JSON.parse(line)
    if (type !== 'ready') continue
    expect(await (await fetch(`${url}/_psp/health`)).json()).toMatchObject({ status: 'ok' })
    server.kill('SIGTERM')
  }
  const { exitCode, stderr } = await server
  return { exitCode, stderr: stderr.replace(/^.*Stopping after .*$/m, '').trim() }
}

const CLEAN = { exitCode: 0, stderr: '' }

test('starts, with nothing kept and with something', async () => {
  expect(await serveOnce()).toEqual(CLEAN)
  const first = cached()
  expect(first).toHaveLength(OWN_CACHE ? 1 : 0)
  expect(await serveOnce()).toEqual(CLEAN)
  expect(cached()).toEqual(first)
})

test.runIf(OWN_CACHE)('a kept file that is damaged is made anew', async () => {
  await serveOnce()
  const file = join(copy, 'dist/cache', String(cached()[0]))
  const whole = readFileSync(file)
  for (const damage of [whole.subarray(0, 1000), Buffer.alloc(0), Buffer.from(whole).fill(0x55, 40_000, 50_000)]) {
    writeFileSync(file, damage)
    expect(await serveOnce()).toEqual(CLEAN)
    expect(readFileSync(file).equals(damage)).toBe(false)
  }
})

test.skipIf(process.getuid?.() === 0)('a folder that may not be written to', async () => {
  chmodSync(join(copy, 'dist'), 0o555)
  expect(await serveOnce()).toEqual(CLEAN)
  expect(cached()).toEqual([])
})

test('a folder that takes no other folder', async () => {
  writeFileSync(join(copy, 'dist/cache'), 'a file where the folder would be')
  expect(await serveOnce()).toEqual(CLEAN)
})

test.runIf(OWN_CACHE)('a folder that has the name of the kept file leaves nothing beside it', async () => {
  await serveOnce()
  const names = cached()
  const file = join(copy, 'dist/cache', String(names[0]))
  rmSync(file)
  mkdirSync(file)
  expect(await serveOnce()).toEqual(CLEAN)
  expect(cached()).toEqual(names)
})

test('a package that is not built says so', async () => {
  rmSync(join(copy, 'dist/cli/serve.cjs'))
  const { exitCode, stderr } = await serveOnce()
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^psp is not built: .*serve\.cjs/)
})
