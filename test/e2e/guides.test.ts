// The programs that the guides show, run as they stand.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { deadPort } from '../delivery/receiver.ts'
import { createWorkspace } from './helpers.ts'

const ROOT = new URL('../../', import.meta.url).pathname
let folder: ReturnType<typeof createWorkspace>

beforeEach(() => {
  folder = createWorkspace()
  mkdirSync(join(folder.cwd, 'node_modules'))
  symlinkSync(ROOT, join(folder.cwd, 'node_modules/psp-sandbox'))
})
afterEach(() => folder.remove())

function save(name: string, guide: string, fence: string, more = '') {
  const text = readFileSync(`${ROOT}docs/guides/${guide}.md`, 'utf8')
  const code = text.match(new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``))?.[1]
  expect(code).toBeDefined()
  writeFileSync(join(folder.cwd, name), `${code}${more}`)
}

it('the first webhook reaches the handler of the guide, and a forged one does not', async () => {
  save('server.mjs', 'first-webhook', 'js')
  const handler = execa('node', ['server.mjs'], {
    cwd: folder.cwd,
    env: { PORT: String(await deadPort()) },
    reject: false,
    timeout: 150_000,
  })
  const lines = handler.iterable()
  const next = async () => String((await lines[Symbol.asyncIterator]().next()).value)
  try {
    const port = (await next()).match(/^listening on (\d+)$/)?.[1]
    const server = await folder.serve(
      '--set',
      'delays.buyer=0s',
      '--set',
      'delays.session=0s',
      '--set',
      'delays.bank=0s',
    )
    await folder.start(['listen', '--url', server.ready.url, '--forward', `localhost:${port}/hooks`], /Ready/, 'all')
    const paid = await folder.psp(
      'payments',
      'create',
      '--url',
      server.ready.url,
      '--amount',
      '150000',
      '--order-id',
      '7',
    )
    expect(paid.exitCode, paid.stderr).toBe(0)
    expect(await next()).toMatch(/^payment\.succeeded of order 7, 150000 kopeks, evt_/)
    const forged = await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', body: '{}' })
    expect([forged.status, await next()]).toEqual([400, expect.stringMatching(/^refused: /)])
  } finally {
    handler.kill('SIGKILL')
    await handler
  }
})

it('the clock moves in a test as the guide shows', async () => {
  save('clock.mjs', 'clock', 'ts')
  const ran = await execa('node', ['--test-reporter=tap', 'clock.mjs'], {
    cwd: folder.cwd,
    reject: false,
    timeout: 150_000,
    all: true,
  })
  expect(ran.all).toMatch(/^ok 1 - a payment expires if the bank never responds$/m)
})

it.each([
  ['testing', 'js', 'an order is paid'],
  ['testing-in-ci', 'js', 'sees its own webhooks only'],
])('the test of %s passes as it stands', async (guide, fence, name) => {
  save('guide.mjs', guide, fence)
  const ran = await execa('node', ['--test-reporter=tap', 'guide.mjs'], {
    cwd: folder.cwd,
    reject: false,
    timeout: 150_000,
    all: true,
  })
  expect(ran.all).toMatch(new RegExp(`^ok 1 - ${name}$`, 'm'))
})
