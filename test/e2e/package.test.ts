// The package as npm packs it, installed into an empty folder: what is in it, and that all of it works there.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const ROOT = new URL('../../', import.meta.url).pathname
const TSC = join(ROOT, 'node_modules/@typescript/native/bin/tsc')
/** Bytes: a bundle that suddenly holds another library shows here. */
const LARGEST = { packed: 1_650_000, unpacked: 6_400_000 }

interface Packed {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

let folder: string
let packed: Packed

const run = (program: string, ...args: readonly string[]) =>
  execa(program, args, {
    cwd: folder,
    reject: false,
    stdin: 'ignore',
    all: true,
    timeout: 110_000,
    extendEnv: false,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', npm_config_update_notifier: 'false' },
  })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'psp-package-'))
  const pack = await execa('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: ROOT })
  packed = JSON.parse(pack.stdout)[0]
  writeFileSync(join(folder, 'package.json'), '{"name":"empty","private":true,"type":"module"}')
  const installed = await run('npm', 'i', `./${packed.filename}`, '--prefer-offline', '--no-audit', '--no-fund')
  expect(installed.exitCode, installed.all).toBe(0)
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('what is in it', () => {
  test('nothing that is only for the making of it', () => {
    const paths = packed.files.map(({ path }) => path)
    const strange = paths.filter(
      (path) => !/^(bin|dist|fixtures|docs|examples)\/|^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(path),
    )
    expect(strange).toEqual([])
    const own = paths.filter((path) => !path.startsWith('examples/'))
    expect(own.filter((path) => /\.map$|\.test\.|(?<!\.d)\.tsx?$|(^|\/)(test|bench)\//.test(path))).toEqual([])
    expect(paths).toEqual(
      expect.arrayContaining(['bin/psp.js', 'dist/THIRD-PARTY-LICENSES.txt', 'LICENSE', 'README.md']),
    )
  })

  test('every place its README leads to', () => {
    const paths = packed.files.map(({ path }) => path)
    const links = [
      ...readFileSync(new URL('../../README.md', import.meta.url), 'utf8').matchAll(/(?:\]\(|src(?:set)?=")([^)"]+)/g),
    ]
    const dead = links
      .map(([, to = '']) => to)
      .filter(
        (to) =>
          !to.startsWith('http') && !paths.some((path) => path === to || path.startsWith(to.replace(/\/?$/, '/'))),
      )
    expect(dead).toEqual([])
  })

  test('no more than it needs', () => {
    expect(packed.size).toBeLessThan(LARGEST.packed)
    expect(packed.unpackedSize).toBeLessThan(LARGEST.unpacked)
  })
})

describe('in an empty folder', () => {
  test('npx psp', async () => {
    const version = await run('npx', 'psp', '--version')
    expect([version.exitCode, version.stdout]).toEqual([0, manifest.version])
    const demo = await run('npx', 'psp', 'demo')
    expect(demo.exitCode, demo.all).toBe(0)
    expect(demo.stdout).toContain('payment.succeeded')
  })

  test('the modules work', async () => {
    writeFileSync(join(folder, 'use.js'), USE)
    const used = await run(process.execPath, 'use.js')
    expect(used.exitCode, used.all).toBe(0)
    expect(JSON.parse(used.stdout)).toEqual({
      status: 'succeeded',
      event: 'payment.succeeded',
      made: 201,
      valid: false,
    })
  })

  test('its types hold, those of its dependencies too', async () => {
    writeFileSync(join(folder, 'use.ts'), `${USE}\nconst wrong: number = payment.status\n`)
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          skipLibCheck: false,
          target: 'es2023',
          module: 'nodenext',
          moduleResolution: 'nodenext',
          types: ['node'],
          typeRoots: [join(ROOT, 'node_modules/@types')],
        },
        files: ['use.ts'],
      }),
    )
    const checked = await run(process.execPath, TSC, '-p', '.')
    expect(checked.stdout.split('\n').filter((line) => line.includes('error'))).toEqual([
      expect.stringMatching(/^use\.ts\(\d+,7\): error TS2322/),
    ])
  })
})

const USE = `import { createSandbox } from 'psp-sandbox'
import { startSandbox } from 'psp-sandbox/testing'
import { verifyWebhook } from 'psp-sandbox/webhooks'

const sandbox = await createSandbox({ clock: { mode: 'frozen' } })
const { api_key } = sandbox.start()
const made = await sandbox.fetch(
  new Request('http://127.0.0.1/v1/public/payments', {
    method: 'POST',
    headers: { Authorization: \`Bearer \${api_key}\`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ amount: 100 }),
  }),
)
await sandbox.close()

const psp = await startSandbox()
const { payment } = await psp.payments.create({ amount: 100, method: 'sbp' })
await psp.payments.pay(payment.id)
const { data, event } = await psp.waitFor('payment.succeeded')
await psp.close()
const { valid } = verifyWebhook('{}', { 'x-psp-signature': 't=1,v1=0,v2=0' }, 'whs_0123456789')
console.log(JSON.stringify({ status: data.status, event, made: made.status, valid }))
`
