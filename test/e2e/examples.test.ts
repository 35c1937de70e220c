// The suites of the examples pass, each script of a guide runs, and each excerpt is part of an example.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { reservedPort } from '../ports.ts'
import { BIN, createWorkspace, isInRoot } from './helpers.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const run = (file: string, args: readonly string[]) =>
  execa(file, args, {
    cwd: ROOT,
    reject: false,
    timeout: 150_000,
    extendEnv: false,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TMPDIR: tmpdir(), NO_COLOR: '1' },
  })

interface Snippet {
  readonly guide: string
  readonly language: string
  readonly text: string
}

const GUIDES = ['testing.md', 'testing-in-ci.md', 'msw.md']
const SNIPPETS: readonly Snippet[] = GUIDES.flatMap((guide) =>
  [...read(`docs/guides/${guide}`).matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    guide,
    language,
    text,
  })),
)

const EXAMPLES = ['examples/shop', 'examples/ci'].flatMap((folder) =>
  readdirSync(new URL(`../../${folder}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => read(`${folder}/${name}`)),
)

describe.skipIf(isInRoot)('the example shop (needs Node where psp runs)', () => {
  const lines = [...read('examples/shop/README.md').matchAll(/^npx .*$/gm)].map(([line]) => line)
  const commands = lines.filter((line) => line.includes('vitest'))

  test.each(commands)('the command `%s` of the example shop passes', async (line) => {
    const { exitCode, all, stdout, stderr } = await run('sh', [
      '-c',
      `psp() { ${BIN} "$@"; }; ${line.replace(/^npx psp/, 'psp')}`,
    ])
    expect([exitCode, all ?? `${stdout}${stderr}`]).toEqual([0, expect.stringMatching(/Tests {2}\d+ passed \(\d+\)/)])
  })

  test('the example shop passes all 21 checks of the audit without special options', async () => {
    const line = lines.find((one) => one.includes('psp audit')) ?? ''
    const port = await reservedPort()
    const own = line.replace('npx psp', BIN).replace('psp audit', `${BIN} audit`)
    const ran = await run('env', [`PORT=${port}`, 'sh', '-c', own.replaceAll('3000', String(port))])
    expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringContaining('21 passed, 0 failed, 0 warned')])
    expect(line).not.toMatch(/--(only|order-id|amount|metadata|header|probe-settle|timeout)/)
  })

  test('the example shop documents a command for each of its suites', () => {
    expect(commands.join(' ').match(/\b(exec|sandbox|msw)\b(?= |$)/g)).toEqual(
      expect.arrayContaining(['exec', 'sandbox', 'msw']),
    )
  })
})

describe.skipIf(isInRoot)('the guides to the npm package (need Node where psp runs)', () => {
  const whole = SNIPPETS.filter(({ language, text }) => language === 'js' && !isExcerpt(text))
  const suites = whole.filter(({ text }) => text.includes("'psp-sandbox/vitest'"))
  const scripts = whole.filter((snippet) => !suites.includes(snippet))
  const others = SNIPPETS.filter((snippet) => !whole.includes(snippet) && snippet.language !== 'text')

  test.each(scripts)('each script of the guide $guide runs', async ({ text }) => {
    const { exitCode, stderr } = await run('node', ['--input-type=module', '-e', text])
    expect([exitCode, stderr]).toEqual([0, ''])
  })

  test('the suites of the guides pass in a project with the package', async () => {
    const project = mkdtempSync(join(tmpdir(), 'psp-suites-'))
    mkdirSync(join(project, 'node_modules'))
    symlinkSync(ROOT, join(project, 'node_modules/psp-sandbox'))
    symlinkSync(join(ROOT, 'node_modules/vitest'), join(project, 'node_modules/vitest'))
    writeFileSync(join(project, 'package.json'), '{"type":"module"}')
    for (const [n, { text }] of suites.entries()) writeFileSync(join(project, `${n}.test.js`), text)
    // The limits of Vitest are too short for a busy machine.
    const limits = ['--testTimeout=120000', '--hookTimeout=120000']
    const words = ['node_modules/vitest/vitest.mjs', 'run', '--root', project, ...limits]
    const { all, stdout, stderr } = await run('node', words)
    expect(all ?? `${stdout}${stderr}`).toMatch(new RegExp(`Tests {2}${suites.length} passed \\(${suites.length}\\)`))
  })

  test.each(others)('each excerpt of the guide $guide ($language) is part of an example', ({ text }) => {
    expect(isExcerpt(text), text).toBe(true)
  })

  test('the guides contain scripts, suites and excerpts', () => {
    expect([scripts.length > 1, suites.length > 1, others.length > 3]).toEqual([true, true, true])
  })
})

function isExcerpt(text: string): boolean {
  return EXAMPLES.some((file) => file.includes(text.trim()))
}

test('the health check of the image is a command that exists', async () => {
  const [, command = '[]'] = /CMD (\["psp", "doctor".*\])/.exec(read('examples/ci/Dockerfile')) ?? []
  const [, ...args] = JSON.parse(command) as string[]
  const ran = await run(BIN, [...args, '--url', 'http://127.0.0.1:9'])
  expect([ran.exitCode, ran.stderr]).toEqual([6, expect.stringContaining('cannot be reached')])
})

test('the readiness probe of the deployment gets 200 from a server that other machines can reach', async () => {
  const [, path = '', port = ''] =
    /httpGet: \{ path: (\S+), port: (\d+) \}/.exec(read('examples/ci/kubernetes.yaml')) ?? []
  expect(read('examples/ci/Dockerfile')).toContain(`PSP_PORT=${port}`)
  const workspace = createWorkspace()
  try {
    const { ready } = await workspace.serve('--host', '0.0.0.0', '--generate-credentials', '--ephemeral')
    expect((await fetch(`${ready.url}${path}`)).status).toBe(200)
  } finally {
    await workspace.remove()
  }
})
