// `POST /_psp/trigger {scenario}`: the sandbox plays it against itself, however it was started.
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/index.ts'
import { listShippedScenarios } from '../../src/scenarios/shipped-scenarios.ts'
import { startSandbox } from '../../src/testing/index.ts'
import { psp, start, temporaryFolder, until } from '../cli/rig.ts'

type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Answer }>
interface Answer {
  readonly [field: string]: unknown
  readonly payment_ids: readonly string[]
  readonly event_ids: readonly string[]
}

async function opened(options: SandboxOptions = {}): Promise<Call> {
  const sandbox = await createSandbox(options)
  onTestFinished(() => sandbox.close())
  return callBy((request) => sandbox.fetch(request), 'http://127.0.0.1:7770')
}

function callBy(send: (request: Request) => Promise<Response>, base: string): Call {
  return async (method, path, body) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = { 'content-type': 'application/json' }
    const response = await send(new Request(`${base}/_psp${path}`, { method, headers, body: text ?? null }))
    return { status: response.status, body: (await response.json()) as Answer }
  }
}

describe('every shipped scenario', () => {
  test.each(listShippedScenarios())('%s goes as it says, and what it made is there', async (name) => {
    const call = await opened({ settings: { webhook_retries: ['10ms'] } })
    const { status, body } = await call('POST', '/trigger', { scenario: name })
    expect([status, body['name'], body['ok']], JSON.stringify(body)).toEqual([201, name, true])
    const made = ['payment_ids', 'payout_ids'].flatMap((field) => body[field] as string[])
    expect(made).not.toEqual([])
    const kept = await Promise.all(
      ['/payments', '/payouts'].map(async (path) => (await call('GET', path)).body['items'] as { id: string }[]),
    )
    expect(kept.flat().map(({ id }) => id)).toEqual(expect.arrayContaining(made))
    for (const id of body.event_ids) expect((await call('GET', `/events/${id}`)).status).toBe(200)
  })
})

describe('through every way of starting', () => {
  async function expectPlayed(call: Call): Promise<void> {
    const { status, body } = await call('POST', '/trigger', { scenario: 'partial-refunds' })
    expect([status, body['ok']], JSON.stringify(body)).toEqual([201, true])
    expect(body).toMatchObject({ payment_ids: { length: 1 }, refund_ids: { length: 2 }, payout_ids: [] })
    expect(body.event_ids).toHaveLength(3)
  }

  test('createSandbox()', async () => {
    await expectPlayed(await opened())
  })

  test('startSandbox()', async () => {
    const sandbox = await startSandbox()
    onTestFinished(() => sandbox.close())
    await expectPlayed(callBy((request) => fetch(request), sandbox.url))
  })

  test('psp serve', async () => {
    const folder = temporaryFolder()
    const serving = start(['serve', '--port', '0', '--json', '--quiet'], { cwd: folder.path })
    onTestFinished(async () => {
      serving.signal('SIGTERM')
      await serving.ended
      folder.remove()
    })
    await until(() => serving.output().includes('\n'))
    const { url } = JSON.parse(serving.output().split('\n')[0] ?? '') as { url: string }
    await expectPlayed(callBy((request) => fetch(request), url))
  })

  test('the command line on a folder that no server holds', async () => {
    const folder = temporaryFolder()
    onTestFinished(() => folder.remove())
    await expectPlayed(async (method, path, body) => {
      const line = ['request', method, `/_psp${path}`, ...(body === undefined ? [] : ['-d', JSON.stringify(body)])]
      const { stdout } = await psp([...line, '--json'], { cwd: folder.path })
      return { status: 201, body: JSON.parse(stdout) as Answer }
    })
  })
})

describe('whatever the shop is like', () => {
  const SCENARIO = { name: 'own', steps: [{ do: 'payments.create', with: { amount: 100 } }] }

  test('a shop that demands signatures, and whose key is not known, can play', async () => {
    const call = await opened()
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
    ['nothing', 'none is called "nothing"'],
    [{ name: 'x', steps: [] }, 'at least one step'],
    [{ name: 'x', steps: [{ do: 'payments.crate' }] }, 'did you mean payments.create?'],
    [5, 'scenario'],
  ])('%j is refused in words', async (scenario, words) => {
    const { status, body } = await (await opened())('POST', '/trigger', { scenario })
    expect([status, body]).toEqual([400, { error: { code: 'bad_request', message: expect.stringContaining(words) } }])
  })

  test('a step that does not go as expected is told, with what was made', async () => {
    const steps = [{ do: 'payments.create', with: { amount: 100 }, expect: { 'payment.status': 'succeeded' } }]
    const { status, body } = await (await opened())('POST', '/trigger', { scenario: { name: 'off', steps } })
    expect([status, body['ok'], body.payment_ids.length]).toEqual([201, false, 1])
    expect(body['steps']).toMatchObject([
      { ok: false, missed: [{ path: 'payment.status', expected: 'succeeded', got: 'pending' }] },
    ])
  })
})
