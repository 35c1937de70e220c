// Packs the package, installs it into an empty folder, and checks its contents and its use there.
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const ROOT = new URL('../../', import.meta.url).pathname
const TSC = join(ROOT, 'node_modules/@typescript/native/bin/tsc')
/** The maximum sizes in bytes. They detect a library that was bundled by mistake. */
const MAX_SIZE = { packed: 3_700_000, unpacked: 12_000_000 }

interface Packed {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

let folder: string
let packed: Packed
/** The output of npm. */
let installOutput: string

const run = (program: string, ...args: readonly string[]) =>
  execa(program, args, {
    cwd: folder,
    reject: false,
    stdin: 'ignore',
    all: true,
    timeout: 150_000,
    extendEnv: false,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TMPDIR: tmpdir(),
      NO_COLOR: '1',
      npm_config_update_notifier: 'false',
    },
  })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'psp-package-'))
  const pack = await execa('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: ROOT })
  packed = JSON.parse(pack.stdout)[0]
  writeFileSync(join(folder, 'package.json'), '{"name":"empty","private":true,"type":"module"}')
  const install = await run('npm', 'i', `./${packed.filename}`, '--prefer-offline', '--no-audit', '--no-fund')
  expect(install.exitCode, install.all).toBe(0)
  installOutput = String(install.all)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the contents of the package', () => {
  test('have no files that only the build needs', () => {
    const paths = packed.files.map(({ path }) => path)
    const unexpected = paths.filter(
      (path) =>
        !/^(bin|dist|fixtures|docs|examples|kits)\/|^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(path),
    )
    expect(unexpected).toEqual([])
    const packageFiles = paths.filter((path) => !/^(examples|kits)\//.test(path))
    expect(packageFiles.filter((path) => /\.map$|\.test\.|(?<!\.d)\.tsx?$|(^|\/)(test|bench)\//.test(path))).toEqual([])
    expect(paths).toEqual(
      expect.arrayContaining(['bin/psp.js', 'dist/THIRD-PARTY-LICENSES.txt', 'LICENSE', 'README.md']),
    )
  })

  test('have no developer tools of Ink and no WebSocket client', () => {
    const licences = readFileSync(new URL('../../dist/THIRD-PARTY-LICENSES.txt', import.meta.url), 'utf8')
    expect(licences).toMatch(/^ink \d/m)
    expect(licences).not.toMatch(/^ws \d/m)
    const tools = packed.files.filter(({ path }) => /devtools/.test(path))
    expect(tools.filter(({ size }) => size > 1000)).toEqual([])
  })

  test('have every file that the documents link to', () => {
    const paths = packed.files.map(({ path }) => path)
    const pages = paths.filter((path) => path.endsWith('.md'))
    const exists = (to: string) => paths.some((path) => path === to || path.startsWith(to.replace(/\/?$/, '/')))
    const dead = pages.flatMap((page) =>
      linksIn(page)
        .filter((to) => !exists(posix.join(posix.dirname(page), to)))
        .map((to) => `${page}: ${to}`),
    )
    expect(pages.length).toBeGreaterThan(40)
    expect(dead).toEqual([])
  })

  test('have no unexpected size', () => {
    expect(packed.size).toBeLessThan(MAX_SIZE.packed)
    expect(packed.unpackedSize).toBeLessThan(MAX_SIZE.unpacked)
  })
})

describe('the package in an empty folder', () => {
  test('runs by npx psp', async () => {
    const version = await run('npx', 'psp', '--version')
    expect([version.exitCode, version.stdout]).toEqual([0, manifest.version])
    const demo = await run('npx', 'psp', 'demo')
    expect(demo.exitCode, demo.all).toBe(0)
    expect(demo.stdout).toContain('payment.succeeded')
    expect(demo.stderr).toContain('Try it yourself: npx psp serve, then npx psp listen')
  })

  test('provides working ES modules', async () => {
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
})

describe('the package for CommonJS', () => {
  const NAMES = ['psp-sandbox', ...['webhooks', 'testing', 'msw'].map((name) => `psp-sandbox/${name}`)]
  /** The modules whose exports differ. */
  let differing: readonly string[]

  beforeAll(async () => {
    // msw is an optional peer dependency.
    symlinkSync(join(ROOT, 'node_modules/msw'), join(folder, 'node_modules/msw'))
    writeFileSync(join(folder, 'names.cjs'), namesScript(NAMES))
    const ran = await run(process.execPath, 'names.cjs')
    expect([ran.exitCode, ran.stderr]).toEqual([0, ''])
    differing = JSON.parse(ran.stdout)
  })

  test.each(NAMES)("has the same exports for require('%s') as for import", (name) => {
    expect(differing).not.toContain(name)
  })

  test('works in a test suite with Mock Service Worker', async () => {
    writeFileSync(join(folder, 'suite.cjs'), SUITE)
    const used = await run(process.execPath, 'suite.cjs')
    expect([used.exitCode, used.stdout], used.all).toEqual([0, 'succeeded succeeded false'])
  })

  test('works in a runner whose require cannot load ES modules, such as Jest', async () => {
    writeFileSync(join(folder, 'runner.cjs'), RUNNER)
    const ran = await run(process.execPath, '--no-experimental-require-module', 'runner.cjs')
    expect([ran.exitCode, ran.stdout], ran.all).toEqual([0, 'succeeded 200 200 created'])
    const bundles = packed.files.filter(({ path }) => /^dist\/commonjs\/.*\.js$/.test(path))
    expect(bundles.length).toBeGreaterThan(4)
    const withImport = bundles.filter(({ path }) => /(?<![.\w])import\(/.test(codeOf(path)))
    expect(withImport).toEqual([])
  })

  test('is one module for require and import in Node', async () => {
    const line = `import('psp-sandbox/testing').then((module) => console.log(module.startSandbox === require('psp-sandbox/testing').startSandbox))`
    writeFileSync(join(folder, 'same.cjs'), line)
    const ran = await run(process.execPath, 'same.cjs')
    expect([ran.exitCode, ran.stdout], ran.all).toEqual([0, 'true'])
  })

  // The declarations of msw are for ES modules, which node16 cannot load by require.
  test('passes a type check with its dependencies under nodenext, and without msw under node16', async () => {
    writeFileSync(join(folder, 'use.ts'), `${USE}\nconst wrong: number = payment.status\n`)
    writeFileSync(join(folder, 'suite.cts'), `${TYPED_SUITE}${TYPED_VERIFYING}`)
    writeFileSync(join(folder, 'verifying.cts'), TYPED_VERIFYING)
    const wrong = (name: string) => expect.stringMatching(new RegExp(`^${name}\\(\\d+,7\\): error TS2322`))
    expect((await typeErrors(['use.ts', 'suite.cts'], 'nodenext')).sort()).toEqual([
      wrong('suite\\.cts'),
      wrong('use\\.ts'),
    ])
    writeFileSync(join(folder, 'suite.cts'), `${TYPED_SUITE.replaceAll(/^.*pspHandlers.*\n/gm, '')}${TYPED_VERIFYING}`)
    expect((await typeErrors(['suite.cts', 'verifying.cts'], 'node16')).sort()).toEqual([
      wrong('suite\\.cts'),
      wrong('verifying\\.cts'),
    ])
  })
})

test('the package has no scripts that npm asks to review', () => {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'node_modules/psp-sandbox/package.json'), 'utf8'))
  expect(Object.keys(scripts).filter((name) => /^((pre|post)?install|prepare)$/.test(name))).toEqual([])
  expect(installOutput).not.toMatch(/scripts/)
})

/** Returns the relative links and images of a document. */
function linksIn(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```.*?^```|`[^`\n]*`/gms, '')
  return [...text.matchAll(/(?:\]\(|(?:src|srcset|href)=")([^)"\s#]+)/g)]
    .map(([, to = '']) => to)
    .filter((to) => !/^[a-z]+:/.test(to))
}

/** Returns a script that prints the modules with other exports for require than for import. */
function namesScript(names: readonly string[]): string {
  return `const listed = (module) => Object.keys(module).sort().join()
Promise.all(${JSON.stringify(names)}.map(async (name) => [name, listed(await import(name)) !== listed(require(name))]))
  .then((all) => console.log(JSON.stringify(all.filter(([, differs]) => differs).map(([name]) => name))))`
}

/** Returns the code of a file without comments. */
function codeOf(path: string): string {
  return readFileSync(join(folder, 'node_modules/psp-sandbox', path), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
}

async function typeErrors(files: readonly string[], module: 'nodenext' | 'node16'): Promise<string[]> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'es2023',
    module,
    moduleResolution: module,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const checked = await run(process.execPath, TSC, '-p', '.')
  return checked.stdout.split('\n').filter((line) => line.includes('error'))
}

const USE = `import { createSandbox } from 'psp-sandbox'
import { startSandbox } from 'psp-sandbox/testing'
import { verifyWebhook } from 'psp-sandbox/webhooks'

const sandbox = await createSandbox({ clock: { mode: 'frozen' } })
const { api_key } = sandbox.defaultShop()
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

const SUITE = `const { setupServer } = require('msw/node')
const { pspHandlers } = require('psp-sandbox/msw')
const { startSandbox } = require('psp-sandbox/testing')
const { verifyWebhook } = require('psp-sandbox/webhooks')

async function suite() {
  const psp = await startSandbox({ listen: false, clock: 'frozen' })
  const { payment } = await psp.payments.create({ amount: 100, method: 'sbp' })
  await psp.payments.pay(payment.id)
  const { data } = await psp.waitFor('payment.succeeded')
  const server = setupServer(...pspHandlers(psp, { baseUrls: ['https://api.psp.example'] }))
  server.listen({ onUnhandledRequest: 'error' })
  const read = await fetch('https://api.psp.example/v1/public/payments/' + payment.id, {
    headers: { Authorization: 'Bearer ' + psp.apiKey },
  })
  console.log(data.status, (await read.json()).status, verifyWebhook('{}', {}, psp.webhookSecret).valid)
  server.close()
  await psp.close()
}
suite()
`

const RUNNER = `const { createServer } = require('node:http')
const { createSandbox } = require('psp-sandbox')
const { ApiError, startSandbox } = require('psp-sandbox/testing')

async function suite() {
  const server = createServer((request, response) => request.resume().on('end', () => response.end())).listen(0)
  const psp = await startSandbox({ clock: 'frozen', endpoints: ['http://localhost:' + server.address().port] })
  const { payment, payment_url } = await psp.payments.create({ amount: 100, order_id: 'A-1' })
  const page = await fetch(payment_url)
  await psp.payments.pay(payment.id)
  const { data } = await psp.waitFor('payment.succeeded', { order_id: 'A-1' })
  const sent = (await psp.deliveries.list()).find(({ url }) => url.includes('localhost'))
  await psp.payments.get('none').catch((error) => { if (!(error instanceof ApiError)) throw error })
  await psp.close()
  server.close()
  await (await createSandbox({ folder: 'created' })).close()
  console.log(data.status, sent.attempts[0].status, page.status, require('node:fs').readdirSync('.').find((name) => name === 'created'))
}
suite()
`

const TYPED_SUITE = `import { pspHandlers } from 'psp-sandbox/msw'
import { startSandbox } from 'psp-sandbox/testing'

export async function suite(): Promise<string> {
  const psp = await startSandbox({ listen: false })
  pspHandlers(psp)
  const { payment } = await psp.payments.create({ amount: 100 })
  return payment.status
}
`

const TYPED_VERIFYING = `import { verifyWebhook } from 'psp-sandbox/webhooks'

const result = verifyWebhook('{}', {}, 'whs_0123456789')
export const message: string = result.valid ? result.event.id : result.message
const wrong: number = message
`
