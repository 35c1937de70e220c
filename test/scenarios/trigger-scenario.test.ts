// Tests `POST /_psp/trigger {scenario}` for every way to start a sandbox.
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/index.ts'
import { listShippedScenarios } from '../../src/scenarios/shipped-scenarios.ts'
import { startSandbox } from '../../src/testing/index.ts'
import { createTestDir, psp, startPsp, waitUntil } from '../cli/helpers.ts'

type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: ResponseBody }>
interface ResponseBody {
  readonly [field: string]: unknown
  readonly payment_ids: readonly string[]
  readonly event_ids: readonly string[]
}

async function openSandbox(options: SandboxOptions = {}): Promise<Call> {
  const sandbox = await createSandbox(options)
  onTestFinished(() => sandbox.close())
  return createCall((request) => sandbox.fetch(request), 'http://127.0.0.1:7770')
}

function createCall(send: (request: Request) => Promise<Response>, base: string): Call {
  return async (method, path, body) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = { 'content-type': 'application/json' }
    const response = await send(new Request(`${base}/_psp${path}`, { method, headers, body: text ?? null }))
    return { status: response.status, body: (await response.json()) as ResponseBody }
  }
}

describe('POST /_psp/trigger with a shipped scenario', () => {
  test.each(listShippedScenarios())('runs %s and creates its objects', async (name) => {
    const call = await openSandbox({ settings: { webhook_retries: ['10ms'] } })
    const { status, body } = await call('POST', '/trigger', { scenario: name })
    expect([status, body['name'], body['ok']], JSON.stringify(body)).toEqual([201, name, true])
    const createdIds = ['payment_ids', 'payout_ids'].flatMap((field) => body[field] as string[])
    expect(createdIds).not.toEqual([])
    const listed = await Promise.all(
      ['/payments', '/payouts'].map(async (path) => (await call('GET', path)).body['items'] as { id: string }[]),
    )
    expect(listed.flat().map(({ id }) => id)).toEqual(expect.arrayContaining(createdIds))
    for (const id of body.event_ids) expect((await call('GET', `/events/${id}`)).status).toBe(200)
  })
})

describe('POST /_psp/trigger with a scenario', () => {
  async function expectPlayed(call: Call): Promise<void> {
    const { status, body } = await call('POST', '/trigger', { scenario: 'partial-refunds' })
    expect([status, body['ok']], JSON.stringify(body)).toEqual([201, true])
    expect(body).toMatchObject({ payment_ids: { length: 1 }, refund_ids: { length: 2 }, payout_ids: [] })
    expect(body.event_ids).toHaveLength(3)
  }

  test('works for a sandbox of createSandbox()', async () => {
    await expectPlayed(await openSandbox())
  })

  test('works for a sandbox of startSandbox()', async () => {
    const sandbox = await startSandbox()
    onTestFinished(() => sandbox.close())
    await expectPlayed(createCall((request) => fetch(request), sandbox.url))
  })

  test('works for psp serve', async () => {
    const folder = createTestDir()
    const server = startPsp(['serve', '--port', '0', '--json', '--quiet'], { cwd: folder.path })
    onTestFinished(async () => {
      server.signal('SIGTERM')
      await server.ended
      folder.remove()
    })
    await waitUntil(() => server.output().includes('\n'))
    const { url } = JSON.parse(server.output().split('\n')[0] ?? '') as { url: string }
    await expectPlayed(createCall((request) => fetch(request), url))
  })

  test('works for psp request on a data directory without a server', async () => {
    const folder = createTestDir()
    onTestFinished(() => folder.remove())
    await expectPlayed(async (method, path, body) => {
      const line = ['request', method, `/_psp${path}`, ...(body === undefined ? [] : ['-d', JSON.stringify(body)])]
      const { stdout } = await psp([...line, '--json'], { cwd: folder.path })
      return { status: 201, body: JSON.parse(stdout) as ResponseBody }
    })
  })
})

describe('POST /_psp/trigger with a custom scenario', () => {
  const SCENARIO = { name: 'custom', steps: [{ do: 'payments.create', with: { amount: 100 } }] }

  test('works for a shop that requires signatures and has no known key', async () => {
    const call = await openSandbox()
    const { items } = (await call('GET', '/shops')).body as unknown as { items: { id: string }[] }
    const shop = items[0]?.id ?? ''
    await call('PATCH', `/shops/${shop}`, { require_signature: true })
    const keys = (await call('GET', `/shops/${shop}/keys`)).body as unknown as { items: { id: string }[] }
    for (const { id } of keys.items) await call('DELETE', `/keys/${id}`).catch(() => undefined)
    const { status, body } = await call('POST', '/trigger', { scenario: SCENARIO })
    expect([status, body['ok'], body.payment_ids.length], JSON.stringify(body)).toEqual([201, true, 1])
    const after = (await call('GET', `/shops/${shop}/keys`)).body as unknown as { items: { revoked_at: unknown }[] }
    expect(after.items.filter(({ revoked_at }) => revoked_at === null)).toEqual([])
  })

  test.each([
    ['nothing', '"nothing" does not exist'],
    [{ name: 'x', steps: [] }, 'at least one step'],
    [{ name: 'x', steps: [{ do: 'payments.crate' }] }, 'did you mean payments.create?'],
    [5, 'scenario'],
  ])('rejects %j with a message', async (scenario, text) => {
    const { status, body } = await (await openSandbox())('POST', '/trigger', { scenario })
    expect([status, body]).toEqual([400, { error: { code: 'bad_request', message: expect.stringContaining(text) } }])
  })

  test('reports a failed step and the created objects', async () => {
    const steps = [{ do: 'payments.create', with: { amount: 100 }, expect: { 'payment.status': 'succeeded' } }]
    const { status, body } = await (await openSandbox())('POST', '/trigger', { scenario: { name: 'off', steps } })
    expect([status, body['ok'], body.payment_ids.length]).toEqual([201, false, 1])
    expect(body['steps']).toMatchObject([
      { ok: false, missed: [{ path: 'payment.status', expected: 'succeeded', got: 'pending' }] },
    ])
  })
})
