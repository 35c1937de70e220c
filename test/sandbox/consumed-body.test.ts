// `fetch` of a sandbox reads a copy of the request's body, and names the cause if the body was read before.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assembleSandbox } from '../../src/sandbox.ts'
import { startSandbox, type TestSandbox } from '../../src/testing/index.ts'

let psp: TestSandbox
let remote: TestSandbox
beforeEach(async () => {
  psp = await startSandbox({ listen: false, clock: 'frozen' })
  remote = await startSandbox({ clock: 'frozen' })
})
afterEach(async () => {
  await psp.close()
  await remote.close()
})

const payment = ({ apiKey, url }: { apiKey: string; url: string }, path = '/v1/public/payments') =>
  new Request(`${url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: '{"amount":100}',
  })

async function expectRefused(response: Response): Promise<void> {
  expect(response.status).toBe(400)
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  expect(error.code).toBe('bad_request')
  expect(error.message).toContain('request.clone()')
}

describe('the fetch of a sandbox', () => {
  it('leaves the request readable', async () => {
    const sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
    const { api_key = '' } = sandbox.defaultShop()
    const request = payment({ apiKey: api_key, url: 'http://127.0.0.1:7770' })
    expect((await sandbox.fetch(request)).status).toBe(201)
    expect((await sandbox.fetch(request)).status).toBe(201)
    expect(await request.json()).toEqual({ amount: 100 })
    await expectRefused(await sandbox.fetch(request))
    const rule = payment({ apiKey: '', url: 'http://127.0.0.1:7770' }, '/_psp/rules')
    await rule.text()
    await expectRefused(await sandbox.fetch(rule))
    await sandbox.close()
  })

  it('refuses a request whose body is being read', async () => {
    const request = payment(psp)
    request.body?.getReader()
    await expectRefused(await psp.fetch(request))
  })

  it.each(['in process', 'over HTTP'])('leaves the request readable in a test sandbox %s', async (way) => {
    const sandbox = way === 'in process' ? psp : remote
    const request = payment(sandbox)
    expect((await sandbox.fetch(request)).status).toBe(201)
    expect((await sandbox.fetch(request, { headers: request.headers })).status).toBe(201)
    expect(await request.text()).toBe('{"amount":100}')
    await expectRefused(await sandbox.fetch(request))
    expect((await sandbox.fetch(request, { body: '{"amount":7}' })).status).toBe(201)
  })
})
