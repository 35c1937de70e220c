// The file with the commands, and the cache of its compiled code. The tests use a copy of the package.
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

/** Starts a server, sends a request and stops it. Returns the exit code and what it wrote to stderr. */
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

async function help() {
  const { exitCode, stderr } = await execa(process.execPath, [join(copy, 'bin/psp.js'), '--help'], { reject: false })
  return { exitCode, stderr }
}

test('the first server writes the cache, and the second one does not replace it', async () => {
  expect(await serveOnce()).toEqual(CLEAN)
  const first = cached()
  expect(first).toEqual([expect.stringMatching(/^serve-/)])
  const written = readFileSync(join(copy, 'dist/cache', String(first[0])))
  expect(await serveOnce()).toEqual(CLEAN)
  expect(cached()).toEqual(first)
  expect(readFileSync(join(copy, 'dist/cache', String(first[0]))).equals(written)).toBe(true)
})

test('commands that are not servers have a separate cache', async () => {
  expect(await help()).toEqual(CLEAN)
  expect(cached()).toEqual([expect.stringMatching(/^command-/)])
  expect(await serveOnce()).toEqual(CLEAN)
  expect(cached()).toEqual([expect.stringMatching(/^command-/), expect.stringMatching(/^serve-/)])
  expect(await help()).toEqual(CLEAN)
})

test('`psp --version` does not load the commands', async () => {
  rmSync(join(copy, 'dist/cli/program.cjs'))
  const { exitCode, stdout } = await execa(process.execPath, [join(copy, 'bin/psp.js'), '--version'])
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) })
  expect(cached()).toEqual([])
})

test('a damaged cache is replaced', async () => {
  await serveOnce()
  const file = join(copy, 'dist/cache', String(cached()[0]))
  const whole = readFileSync(file)
  for (const damage of [whole.subarray(0, 1000), Buffer.alloc(0), Buffer.from(whole).fill(0x55, 40_000, 50_000)]) {
    writeFileSync(file, damage)
    expect(await serveOnce()).toEqual(CLEAN)
    expect(readFileSync(file).equals(damage)).toBe(false)
  }
})

test.skipIf(process.getuid?.() === 0)('a server starts if the directory of its code is not writable', async () => {
  chmodSync(join(copy, 'dist'), 0o555)
  expect(await serveOnce()).toEqual(CLEAN)
  expect(cached()).toEqual([])
})

test('a server starts if the directory of the cache cannot be created', async () => {
  writeFileSync(join(copy, 'dist/cache'), 'a file where the folder would be')
  expect(await serveOnce()).toEqual(CLEAN)
})

test('a directory with the name of the cache stays the only entry', async () => {
  await serveOnce()
  const names = cached()
  const file = join(copy, 'dist/cache', String(names[0]))
  rmSync(file)
  mkdirSync(file)
  expect(await serveOnce()).toEqual(CLEAN)
  expect(cached()).toEqual(names)
})

test('an error reports that the package is not built', async () => {
  rmSync(join(copy, 'dist/cli/program.cjs'))
  const { exitCode, stderr } = await serveOnce()
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^psp is not built: .*program\.cjs/)
})
