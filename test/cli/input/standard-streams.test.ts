// `-` is stdin for a file that is read, and stdout for a file that is written.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonOf, startPsp, startTestServer, type TestServer, waitUntil } from '../helpers.ts'

let testServer: TestServer

beforeAll(async () => {
  testServer = await startTestServer()
})
afterAll(() => testServer.close())

describe('- is stdin', () => {
  test('`psp sign -` and `psp verify -` read the body from stdin byte for byte', async () => {
    const stdin = Buffer.from([0x7b, 0x0d, 0x0a, 0xff, 0x7d])
    const signed = await testServer.psp('sign --secret whs_0123456789 -', { stdin })
    const header = signed.stdout.trim()
    const verify = ['verify', '--secret', 'whs_0123456789', '--signature', header, '-']
    expect(await testServer.psp(verify, { stdin })).toMatchObject({ code: 0 })
    expect((await testServer.psp(verify, { stdin: Buffer.concat([stdin, Buffer.from('\n')]) })).code).toBe(8)
  })

  test('`psp request -d -` reads the body from stdin', async () => {
    const ran = await testServer.psp('request POST /v1/public/payments -d - --json', { stdin: '{"amount":4321}' })
    expect(jsonOf(ran)).toMatchObject({ payment: { amount: 4321 } })
  })

  test('`psp trigger -` reads a scenario from stdin', async () => {
    const scenario = {
      name: 'mine',
      description: 'x',
      steps: [{ id: 'a', do: 'payments.create', with: { amount: 77 } }],
    }
    const ran = await testServer.psp('trigger - --json', { stdin: JSON.stringify(scenario) })
    expect([ran.code, jsonOf(ran)]).toEqual([0, expect.objectContaining({ ok: true })])
    expect((await testServer.psp('trigger -', { stdin: 'no json' })).stderr).toContain('- is not JSON')
  })

  test('`psp serve --seed -` reads the seed from stdin', async () => {
    const serve = startPsp(['serve', '--port', '0', '--ephemeral', '--json', '--seed', '-'], {
      stdin: '{"payments":[{"amount":4242}]}',
    })
    const ready = await waitUntil(() => serve.output().split('\n')[1] !== undefined && serve.output().split('\n')[0])
    const { url } = JSON.parse(ready) as { url: string }
    const listed = await testServer.psp('payments list --json', { env: { PSP_URL: url } })
    expect(jsonOf(listed)).toMatchObject({ items: [{ amount: 4242 }] })
    serve.signal('SIGINT')
    expect((await serve.ended).code).toBe(0)
  })

  test('`psp store import -` reads the state that `store export -` printed', async () => {
    const exported = await testServer.psp('store export -')
    await testServer.psp('payments create --amount 999')
    const { code, stderr } = await testServer.psp('store import -', { stdin: exported.stdout })
    expect([code, stderr]).toEqual([0, ''])
    const { items } = jsonOf(await testServer.psp('payments list --json')) as { items: { amount: number }[] }
    expect(items.map(({ amount }) => amount)).not.toContain(999)
  })
})

describe('- is stdout', () => {
  test('`store export -` and `openapi --out -` print only the document on stdout', async () => {
    expect(jsonOf(await testServer.psp('store export -'))).toHaveProperty('tables')
    expect(jsonOf(await testServer.psp('openapi --out -'))).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) })
  })
})
