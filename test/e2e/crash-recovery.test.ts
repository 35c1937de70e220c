// A server that is killed, and a data directory that is damaged.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace, startVerifyingReceiver } from './helpers.ts'

let workspace: ReturnType<typeof createWorkspace>
beforeEach(() => {
  workspace = createWorkspace()
})
afterEach(() => workspace.remove())

interface Ready {
  readonly url: string
  readonly api_key: string
}

interface Created {
  readonly payment: { readonly id: string }
}

const create = (ready: Ready, headers: Record<string, string> = {}, body: object = { amount: 100 }) =>
  fetch(`${ready.url}/v1/public/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.api_key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('SIGKILL during parallel writes loses no acknowledged payment and no idempotency key', async () => {
  const acknowledged = new Map<string, string>()
  const first = await workspace.serve('--quiet', '--clock', 'frozen')
  let count = 0
  const write = async () => {
    for (;;) {
      const key = `key-${count++}`
      const response = await create(first.ready, { 'idempotency-key': key })
      acknowledged.set(key, ((await response.json()) as Created).payment.id)
      if (acknowledged.size === 200) first.child.kill('SIGKILL')
    }
  }
  await Promise.allSettled(Array.from({ length: 20 }, write))
  await first.child
  expect(acknowledged.size).toBeGreaterThanOrEqual(200)
  const { ready } = await workspace.serve('--quiet', '--clock', 'frozen')
  await Promise.all(
    [...acknowledged].map(async ([key, id]) => {
      const response = await create(ready, { 'idempotency-key': key })
      expect([key, response.status]).toEqual([key, 200])
      expect(((await response.json()) as Created).payment.id).toBe(id)
    }),
  )
})

test('a payment that was acknowledged before SIGKILL is paid and its webhook sent after a restart', async () => {
  const receiver = await startVerifyingReceiver()
  const first = await workspace.serve('--quiet', '--endpoint', `http://127.0.0.1:${receiver.port}/hooks`)
  const created = await create(first.ready, {}, { amount: 100, method: 'sbp' })
  first.child.kill('SIGKILL')
  const { payment } = (await created.json()) as Created
  await first.child
  await workspace.serve('--quiet')
  await receiver.count(1)
  receiver.close()
  const [webhook] = receiver.received
  expect(webhook?.valid).toBe(true)
  expect(JSON.parse(webhook?.body.toString() ?? '').data).toMatchObject({ id: payment.id, status: 'succeeded' })
})

describe('a damaged journal', () => {
  const journalOf = (cwd: string) => {
    const path = join(cwd, '.psp', 'journal')
    return join(path, readdirSync(path).sort().at(-1) ?? '')
  }

  test('a server does not start on a damaged line, names file and line, and changes nothing', async () => {
    const server = await workspace.serve('--quiet', '--clock', 'frozen')
    for (let i = 0; i < 3; i++) await create(server.ready)
    server.child.kill('SIGKILL')
    await server.child
    const path = journalOf(workspace.cwd)
    const lines = readFileSync(path, 'utf8').split('\n')
    lines[1] = lines[1]?.replace('"at":', '"aT":') ?? ''
    writeFileSync(path, lines.join('\n'))
    const before = readFileSync(path)
    const ended = await workspace.psp('serve', '--port', '0')
    expect([ended.exitCode, ended.stdout]).toEqual([1, ''])
    expect(ended.stderr).toContain(`${path.split('/').at(-1)}:2`)
    expect(before.equals(readFileSync(path))).toBe(true)
  })

  test('a server drops a torn last line with a notice', async () => {
    const server = await workspace.serve('--quiet', '--clock', 'frozen')
    const { payment } = (await (await create(server.ready)).json()) as Created
    server.child.kill('SIGKILL')
    await server.child
    const path = journalOf(workspace.cwd)
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"seq":99,"at"`)
    const { ready, child } = await workspace.serve('--quiet', '--clock', 'frozen')
    const listed = await (await fetch(`${ready.url}/_psp/payments`)).json()
    expect(listed).toMatchObject({ items: [{ id: payment.id }] })
    child.kill('SIGTERM')
    expect((await child).stderr).toMatch(/torn|dropped|incomplete/i)
  })
})

test('a receiver that never responds delays neither a restart, nor a response, nor the end', async () => {
  const { createServer } = await import('node:http')
  const receiver = createServer(() => {})
  const reached = new Promise<void>((resolve) => receiver.once('request', () => resolve()))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const hooks = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/`
  // A shutdown that waited for the webhook would exceed the timeout of this test.
  const flags = ['webhook_timeout=10m', 'delays.session=0s', 'delays.bank=0s'].flatMap((value) => ['--set', value])
  const first = await workspace.serve('--quiet', '--endpoint', hooks, ...flags)
  await create(first.ready, {}, { amount: 100, method: 'sbp' })
  await reached
  expect((await fetch(`${first.ready.url}/_psp/health`)).status).toBe(200)
  first.child.kill('SIGKILL')
  await first.child
  const { ready, child } = await workspace.serve('--quiet', ...flags)
  const { items } = (await (await fetch(`${ready.url}/_psp/deliveries`)).json()) as { items: { status: string }[] }
  expect(items.map(({ status }) => status)).toEqual(['sending'])
  child.kill('SIGTERM')
  expect((await child).exitCode).toBe(0)
  receiver.closeAllConnections()
  receiver.close()
})
