// The packages, installed from their files as a user installs them. `psp demo` is the first command of the README.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa, execaSync } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EXECUTABLE, isBuilt, needsRelease, released, VERSION } from './release.ts'

const has = (name: string, ...args: string[]) => !execaSync(name, args, { reject: false }).failed

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'psp-packages-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (file: string, args: readonly string[], PATH = process.env['PATH'] ?? '') =>
  execa(file, args, {
    cwd: folder,
    extendEnv: false,
    env: { PATH, HOME: folder, TMPDIR: tmpdir(), NO_COLOR: '1' },
    reject: false,
    stdin: 'ignore',
    all: true,
    timeout: 120_000,
  })

/** Runs the first command of the README without any Node in the PATH. */
async function expectDemo(psp: string): Promise<void> {
  expect(await run(psp, ['--version'], '/nowhere')).toMatchObject({ exitCode: 0, stdout: VERSION })
  const demo = await run(psp, ['demo'], '/nowhere')
  expect(demo.exitCode, demo.all).toBe(0)
}

describe.skipIf(!isBuilt)(needsRelease('the packages'), () => {
  test('the first command of the README works with the executable alone', async () => {
    await expectDemo(EXECUTABLE)
  })

  test.skipIf(!has('dpkg', '--version'))('the package of Debian installs psp with its completions', async () => {
    const root = join(folder, 'root')
    for (const path of ['info', 'updates', 'triggers']) mkdirSync(join(root, 'var/lib/dpkg', path), { recursive: true })
    for (const name of ['status', 'available']) writeFileSync(join(root, 'var/lib/dpkg', name), '')
    // The empty root has no libraries, so the dependencies cannot be met.
    const flags = [`--root=${root}`, '--force-depends', '--force-not-root', '--log=/dev/null']
    const deb = released(`psp-sandbox_${VERSION}_amd64.deb`)
    const installed = await run('dpkg', [...flags, '--install', deb])
    expect(installed.exitCode, installed.all).toBe(0)
    await expectDemo(join(root, 'usr/bin/psp'))
    expect(existsSync(join(root, 'usr/share/bash-completion/completions/psp'))).toBe(true)
    const removed = await run('dpkg', [...flags, '--purge', 'psp-sandbox'])
    expect([removed.exitCode, existsSync(join(root, 'usr/bin/psp'))]).toEqual([0, false])
  })

  const npm = ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error']
  const selector = released(`psp-sandbox-cli-${VERSION}.tgz`)

  test('the npm package of the executable runs it, and returns its exit code and its signals', async () => {
    const installed = await run('npm', [...npm, released(`psp-sandbox-cli-linux-x64-${VERSION}.tgz`), selector])
    expect(installed.exitCode, installed.all).toBe(0)
    const psp = join(folder, 'node_modules/.bin/psp')
    expect(await run(psp, ['--version'])).toMatchObject({ exitCode: 0, stdout: VERSION })
    expect((await run(psp, ['demo'])).exitCode).toBe(0)
    expect((await run(psp, ['no-such-command'])).exitCode).toBe(2)
    const server = run(psp, ['serve', '--port', '0', '--ephemeral', '--json'])
    for await (const line of server) {
      expect(JSON.parse(String(line)).type).toBe('ready')
      server.kill('SIGTERM')
      break
    }
    expect((await server).exitCode).toBe(0)
  })

  test('the npm package without an executable for the machine reports what to install', async () => {
    const installed = await run('npm', [...npm, '--omit=optional', selector])
    expect(installed.exitCode, installed.all).toBe(0)
    const { exitCode, stderr } = await run(join(folder, 'node_modules/.bin/psp'), ['--version'])
    expect([exitCode, stderr.split('\n')[0]]).toEqual([
      1,
      'psp has no executable for this machine: the package psp-sandbox-cli-linux-x64 is not installed.',
    ])
  })

  test.skipIf(!has('python3', '-c', 'import ensurepip'))(
    'the wheel installs the command, and its kit starts the executable in it (needs python3 with venv)',
    async () => {
      const wheel = released(`psp_sandbox-${VERSION}-py3-none-manylinux_2_28_x86_64.whl`)
      expect((await run('python3', ['-m', 'venv', 'venv'])).exitCode).toBe(0)
      const bin = join(folder, 'venv/bin')
      const installed = await run(join(bin, 'pip'), [
        'install',
        '--quiet',
        '--no-index',
        '--disable-pip-version-check',
        wheel,
      ])
      expect(installed.exitCode, installed.all).toBe(0)
      expect(await run(join(bin, 'psp'), ['--version'], '/nowhere')).toMatchObject({ exitCode: 0, stdout: VERSION })
      const program = [
        'import psp_sandbox',
        'with psp_sandbox.Sandbox() as sandbox:',
        '    print(sandbox.shop().payments.create(100)["payment"]["amount"])',
      ]
      const used = await run(join(bin, 'python'), ['-c', program.join('\n')], '/nowhere')
      expect([used.exitCode, used.all]).toEqual([0, '100'])
    },
  )
})
