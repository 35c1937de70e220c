// The executable for Linux. The other tests of commands run with it, too: see scripts/test-binary.sh.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, delimiter, dirname } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace } from '../e2e/helpers.ts'
import { EXECUTABLE, isBuilt, needsRelease, ROOT, released, VERSION } from './release.ts'

let workspace: ReturnType<typeof createWorkspace>
beforeEach(() => {
  workspace = createWorkspace()
})
afterEach(() => workspace.remove())

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  execa(EXECUTABLE, args, {
    cwd: workspace.cwd,
    extendEnv: false,
    env,
    reject: false,
    stdin: 'ignore',
    timeout: 60_000,
  })

const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0

describe.skipIf(!isBuilt)(needsRelease('the executable'), () => {
  test('the executable is at most 90 MB large', () => {
    expect(statSync(EXECUTABLE).size).toBeLessThanOrEqual(90e6)
  })

  test('the checksum of the executable is in SHA256SUMS', () => {
    const sum = createHash('sha256').update(readFileSync(EXECUTABLE)).digest('hex')
    expect(readFileSync(released('SHA256SUMS'), 'utf8')).toContain(`${sum}  ${basename(EXECUTABLE)}\n`)
  })

  test('the loaded parts of the executable are in order, in the file, and aligned', () => {
    const file = readFileSync(EXECUTABLE)
    const at = Number(file.readBigUInt64LE(32))
    const headers = Array.from({ length: file.readUInt16LE(56) }, (_, index) => file.subarray(at + 56 * index))
    const loaded = headers.filter((header) => header.readUInt32LE(0) === 1)
    let end = 0
    for (const header of loaded) {
      const [offset, address, , size, memory, alignment] = Array.from({ length: 6 }, (_, index) =>
        Number(header.readBigUInt64LE(8 + 8 * index)),
      ) as [number, number, number, number, number, number]
      expect((address - offset) % alignment).toBe(0)
      expect(address).toBeGreaterThanOrEqual(end)
      expect(offset + size).toBeLessThanOrEqual(file.length)
      end = address + memory
    }
    expect(loaded.length).toBeGreaterThan(4)
  })

  test('the executable prints its version without an environment', async () => {
    expect(await run(['--version'])).toMatchObject({ exitCode: 0, stdout: VERSION, stderr: '' })
  })

  test('the executable ignores options for another version of Node', async () => {
    expect(await run(['--version'], { NODE_OPTIONS: '--an-option-of-another-node' })).toMatchObject({ exitCode: 0 })
  })

  test.skipIf(!canMount)(
    'the executable starts by its name and by a relative path in a root without /proc',
    async () => {
      const folder = dirname(EXECUTABLE)
      const name = basename(EXECUTABLE)
      const PATH = [folder, process.env['PATH']].join(delimiter)
      for (const command of [name, `./${name}`]) {
        const script = `mount -t tmpfs none /proc && exec ${command} banks`
        const options = { cwd: folder, env: { PATH }, reject: false, timeout: 60_000 }
        const { exitCode, stdout, stderr } = await execa('unshare', ['--mount', 'sh', '-c', script], options)
        expect([exitCode, stdout], stderr).toEqual([0, expect.stringContaining('100000000004')])
      }
    },
  )

  test.each(['de_DE.UTF-8', 'zh_CN.UTF-8', 'ru_RU.UTF-8', 'C'])(
    'the executable runs in the language %s',
    async (LANG) => {
      const { exitCode, stdout } = await run(['banks'], { LANG, LC_ALL: LANG })
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('100000000004')])
    },
  )

  test('the executable contains the scenarios of the package', async () => {
    const names = readdirSync(`${ROOT}/fixtures/scenarios`).map((name) => name.replace('.json', ''))
    const { stdout } = await run(['trigger', '--list'])
    for (const name of names) expect(stdout).toContain(name)
  })

  test('the executable serves the dashboard with its script and style', async () => {
    const { ready } = await workspace.serve('--quiet', '--ephemeral')
    const html = await (await fetch(`${ready.url}/`, { headers: { accept: 'text/html' } })).text()
    const links = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThanOrEqual(2)
    for (const link of links) {
      const response = await fetch(new URL(link, `${ready.url}/`))
      expect([response.status, (await response.text()).length > 100]).toEqual([200, true])
    }
  })

  test('a server of the executable writes its payments to pages', async () => {
    const server = execa(EXECUTABLE, ['serve', '--port', '0', '--json', '--quiet'], {
      cwd: workspace.cwd,
      reject: false,
    })
    const [line] = String((await server.stdout[Symbol.asyncIterator]().next()).value).split('\n')
    const { url } = JSON.parse(line ?? '') as { url: string }
    const created = await run(['payments', 'create', '--amount', '100', '--count', '1500', '--json', '--url', url])
    expect(created.exitCode, created.stderr).toBe(0)
    server.kill('SIGTERM')
    expect((await server).exitCode).toBe(0)
    expect(readdirSync(`${workspace.cwd}/.psp/pages`).join()).toContain('payments')
    const counts = await run(['request', 'GET', '/_psp/counts'])
    expect(JSON.parse(counts.stdout).payments).toBe(1500)
  })
})
