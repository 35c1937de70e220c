// `-` is stdin where a file is read, and stdout where one is written.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonOf, startPsp, startTestServer, type TestServer, waitUntil } from './helpers.ts'

let rig: TestServer

beforeAll(async () => {
  rig = await startTestServer()
})
afterAll(() => rig.close())

describe('- is stdin', () => {
  test('for a body to sign and to verify, byte for byte', async () => {
    const stdin = Buffer.from([0x7b, 0x0d, 0x0a, 0xff, 0x7d])
    const signed = await rig.psp('sign --secret whs_0123456789 -', { stdin })
    const header = signed.stdout.trim()
    const verify = ['verify', '--secret', 'whs_0123456789', '--signature', header, '-']
    expect(await rig.psp(verify, { stdin })).toMatchObject({ code: 0 })
    expect((await rig.psp(verify, { stdin: Buffer.concat([stdin, Buffer.from('\n')]) })).code).toBe(8)
  })

  test('for the body of a request', async () => {
    const ran = await rig.psp('request POST /v1/public/payments -d - --json', { stdin: '{"amount":4321}' })
    expect(jsonOf(ran)).toMatchObject({ payment: { amount: 4321 } })
  })

  test('for a scenario', async () => {
    const scenario = {
      name: 'mine',
      description: 'x',
      steps: [{ id: 'a', do: 'payments.create', with: { amount: 77 } }],
    }
    const ran = await rig.psp('trigger - --json', { stdin: JSON.stringify(scenario) })
    expect([ran.code, jsonOf(ran)]).toEqual([0, expect.objectContaining({ ok: true })])
    expect((await rig.psp('trigger -', { stdin: 'no json' })).stderr).toContain('- is not JSON')
  })

  test('for the seed of a server', async () => {
    const serve = startPsp(['serve', '--port', '0', '--ephemeral', '--json', '--seed', '-'], {
      stdin: '{"payments":[{"amount":4242}]}',
    })
    const ready = await waitUntil(() => serve.output().split('\n')[1] !== undefined && serve.output().split('\n')[0])
    const { url } = JSON.parse(ready) as { url: string }
    const listed = await rig.psp('payments list --json', { env: { PSP_URL: url } })
    expect(jsonOf(listed)).toMatchObject({ items: [{ amount: 4242 }] })
    serve.signal('SIGINT')
    expect((await serve.ended).code).toBe(0)
  })

  test('for a state, which came from stdout', async () => {
    const exported = await rig.psp('store export -')
    await rig.psp('payments create --amount 999')
    const { code, stderr } = await rig.psp('store import -', { stdin: exported.stdout })
    expect([code, stderr]).toEqual([0, ''])
    const { items } = jsonOf(await rig.psp('payments list --json')) as { items: { amount: number }[] }
    expect(items.map(({ amount }) => amount)).not.toContain(999)
  })
})

describe('- is stdout', () => {
  test('for a state and an OpenAPI document: nothing else is on it', async () => {
    expect(jsonOf(await rig.psp('store export -'))).toHaveProperty('tables')
    expect(jsonOf(await rig.psp('openapi --out -'))).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) })
  })
})
