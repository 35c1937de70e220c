// The handler and the test of the guides work as they are shown.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { reservedPort } from '../ports.ts'
import { createWorkspace } from './helpers.ts'

const ROOT = new URL('../../', import.meta.url).pathname
let workspace: ReturnType<typeof createWorkspace>

beforeEach(() => {
  workspace = createWorkspace()
  mkdirSync(join(workspace.cwd, 'node_modules'))
  symlinkSync(ROOT, join(workspace.cwd, 'node_modules/psp-sandbox'))
})
afterEach(() => workspace.remove())

function save(name: string, guide: string, fence: string, more = '') {
  const text = readFileSync(`${ROOT}docs/guides/${guide}.md`, 'utf8')
  const code = text.match(new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``))?.[1]
  expect(code).toBeDefined()
  writeFileSync(join(workspace.cwd, name), `${code}${more}`)
}

it('the handler of the guide accepts a webhook and rejects a forged one', async () => {
  save('server.mjs', 'first-webhook', 'js')
  const handler = execa('node', ['server.mjs'], {
    cwd: workspace.cwd,
    env: { PORT: String(await reservedPort()) },
    reject: false,
    timeout: 150_000,
  })
  const lines = handler.iterable()
  const next = async () => String((await lines[Symbol.asyncIterator]().next()).value)
  try {
    const port = (await next()).match(/^listening on (\d+)$/)?.[1]
    const server = await workspace.serve(
      '--set',
      'delays.buyer=0s',
      '--set',
      'delays.session=0s',
      '--set',
      'delays.bank=0s',
    )
    await workspace.start(['listen', '--url', server.ready.url, '--forward', `localhost:${port}/hooks`], /Ready/, 'all')
    const paid = await workspace.psp(
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

it('the test of the clock guide passes', async () => {
  save('clock.mjs', 'clock', 'ts')
  const ran = await execa('node', ['--test-reporter=tap', 'clock.mjs'], {
    cwd: workspace.cwd,
    reject: false,
    timeout: 150_000,
    all: true,
  })
  expect(ran.all).toMatch(/^ok 1 - a payment expires if the bank never responds$/m)
})
