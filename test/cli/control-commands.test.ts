// The commands that control a sandbox: payouts, banks, shops, keys, endpoints, rules, faults, clock and settings.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { jsonOf, psp, startReceiver, startTestServer, type TestReceiver, type TestServer } from './helpers.ts'

let testServer: TestServer
let receiver: TestReceiver

beforeEach(async () => {
  testServer = await startTestServer()
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.close()
  await testServer.close()
})

const run = async (line: string | string[]) =>
  jsonOf(await testServer.psp(typeof line === 'string' ? `${line} --json` : [...line, '--json']))

describe('payouts and banks', () => {
  test('a payout is created, settled with a failure code and listed', async () => {
    const made = (await run(
      'payouts create --amount 5 --phone +79161234567 --bank-id 100000000111 --outcome pending',
    )) as {
      payout: { id: string }
    }
    expect(await run(`payouts settle ${made.payout.id} failed:recipient_not_found`)).toMatchObject({
      status: 'failed',
      fail_reason: 'recipient_not_found',
    })
    expect(await run('payouts list --status failed')).toMatchObject({ items: [{ id: made.payout.id }] })
    expect((await testServer.psp(`payouts get ${made.payout.id}`)).stdout).toMatch(/^failure +recipient_not_found$/m)
    expect((await testServer.psp(`payouts settle ${made.payout.id} succeeded`)).code).toBe(5)
    expect((await testServer.psp(`payouts settle ${made.payout.id} failed:recipient_not_fond`)).stderr).toContain(
      'Did you mean',
    )
  })

  test('banks are found by a part of their name, and columns are aligned', async () => {
    const { stdout } = await testServer.psp('banks сбер')
    const [head = '', row = ''] = stdout.split('\n')
    expect(row.indexOf('Sberbank')).toBe(head.indexOf('name in English'))
    expect(await run('banks')).toMatchObject({ items: { length: 218 } })
  })
})

describe('shops, keys, endpoints', () => {
  test('a new shop has its key, secrets and settings', async () => {
    const made = (await run(['shops', 'create', '--name', 'Тест 7', '--ip', '127.0.0.1', '--payout-route', 'off'])) as {
      shop_id: string
      api_key: string
    }
    expect(await run(`shops get ${made.shop_id}`)).toMatchObject({
      name: 'Тест 7',
      ip_allow_list: ['127.0.0.1'],
      payout_route: false,
    })
    expect(await run(`payments create --amount 100 --api-key ${made.api_key}`)).toMatchObject({
      payment: { shop_id: made.shop_id },
    })
    expect(await run(`shops update ${made.shop_id} --require-signature on`)).toMatchObject({ require_signature: true })
    const unsigned = await testServer.psp(`payments create --amount 100 --api-key ${made.api_key}`)
    expect(unsigned.code).toBe(5)
    expect(unsigned.stderr).toContain('PSP_SIGNING_SECRET')
    const { signing_secret } = (await run(`shops rotate-secret ${made.shop_id} signing`)) as { signing_secret: string }
    expect(
      (
        await testServer.psp(
          `payments create --amount 100 --api-key ${made.api_key} --signing-secret ${signing_secret}`,
        )
      ).code,
    ).toBe(0)
    const { id, api_key } = (await run(`keys create --shop ${made.shop_id}`)) as { id: string; api_key: string }
    expect((await testServer.psp(`keys list --shop ${made.shop_id}`)).stdout).toContain(id)
    await testServer.psp(`keys revoke ${id}`)
    expect((await testServer.psp(`payments create --amount 100 --api-key ${api_key}`)).code).toBe(3)
  })

  test('--require-signature without a value requires signed requests', async () => {
    const made = (await run('shops create --require-signature')) as { shop_id: string }
    const { shop_id } = made
    const demands = async (line: string) => ((await run(line)) as { require_signature: boolean }).require_signature
    expect(await demands(`shops get ${shop_id}`)).toBe(true)
    expect(await demands(`shops update ${shop_id} --require-signature off`)).toBe(false)
    expect(await demands(`shops update ${shop_id} --require-signature`)).toBe(true)
    expect(await demands(`shops update --require-signature=off ${shop_id}`)).toBe(false)
  })

  test('an endpoint is created, tested, updated and deleted, and deliveries to it can be replayed and retried', async () => {
    const url = `localhost:${receiver.port}/hooks`
    const made = (await run(['webhooks', 'endpoints', 'create', url, '--events', 'payment.*,!payment.expired'])) as {
      id: string
      secret: string
      events: string[]
    }
    expect(made.secret).toMatch(/^whs_/)
    expect(made.events).not.toContain('payment.expired')
    expect((await testServer.psp('webhooks endpoints list')).stdout).toContain(`http://${url}`)
    expect((await testServer.psp(`webhooks endpoints test ${made.id}`)).code).toBe(0)
    expect(receiver.bodies.at(-1)?.toString()).toContain('"sample"')

    receiver.response = { status: 500, body: 'broken \u001b[31mred' }
    const failed = await testServer.psp(`webhooks endpoints test ${made.id}`)
    expect(failed.code).toBe(1)
    expect(failed.stdout).toContain('< broken red')
    receiver.response = { status: 200 }

    const triggered = (await run('trigger payment.succeeded --set order_id=42')) as {
      event_id: string
      payment_id: string
    }
    await run('clock advance 1s')
    const before = receiver.bodies.at(-1)
    expect((await testServer.psp(`events replay ${triggered.event_id}`)).code).toBe(0)
    expect(receiver.bodies.at(-1)?.equals(before ?? Buffer.alloc(0))).toBe(true)
    expect((await testServer.psp(`events replay ${triggered.event_id} --to ${url}`)).stdout).toContain('200')
    const many = await testServer.psp('events replay --since 1h --event payment.succeeded --json')
    expect(many.stdout.trimEnd().split('\n').length).toBeGreaterThan(1)

    const { items } = (await run(`webhooks deliveries list --event ${triggered.event_id}`)) as {
      items: { id: string }[]
    }
    const shown = await testServer.psp(`webhooks deliveries get ${items.at(-1)?.id}`)
    expect(shown.stdout).toMatch(/^> x-psp-signature: t=\d+,v1=[0-9a-f]+,v2=[0-9a-f]+$/m)
    expect((await testServer.psp(`webhooks deliveries retry ${items.at(-1)?.id}`)).stdout).toContain('200')

    expect((await testServer.psp(`webhooks endpoints update ${made.id} --active off`)).stdout).toMatch(/^active +no$/m)
    expect((await testServer.psp(`webhooks endpoints update ${made.id}`)).code).toBe(2)
    expect((await testServer.psp(`webhooks endpoints rotate-secret ${made.id}`)).stdout).toMatch(/^whs_\w+\n$/)
    expect((await testServer.psp(`webhooks endpoints delete ${made.id}`)).code).toBe(0)
    expect((await testServer.psp(`webhooks endpoints test ${made.id}`)).code).toBe(4)
  })

  test('`keys list` omits revoked keys and reports their number', async () => {
    const { id } = (await run('keys create')) as { id: string }
    await testServer.psp(`keys revoke ${id}`)
    const { stdout, stderr } = await testServer.psp('keys list')
    expect([stdout.includes(id), stderr.trim()]).toEqual([
      false,
      'Not shown: 1 revoked key. Use --all to include revoked keys.',
    ])
    expect((await testServer.psp('keys list --all')).stdout).toContain(id)
    expect(JSON.stringify(await run('keys list'))).toContain(id)
  })

  test('`settings set` prints settings as they are typed', async () => {
    const set = await testServer.psp('settings set buyer=manual http_return_url=true webhook_retries=10s,1m')
    expect(set.stdout).toBe('buyer = manual\nhttp_return_url = true\nwebhook_retries = 10s,1m\n')
  })

  test('`endpoints create` says that the endpoint has a separate secret, unless it uses the secret of the shop', async () => {
    const create = `webhooks endpoints create localhost:${receiver.port}/noted`
    const own = await testServer.psp(create)
    expect(own.stderr).toContain("signed with its own secret, not with the shop's, which `psp config --env` prints")
    expect((await testServer.psp(`${create}2 --own-secret off`)).stderr).not.toContain('its own secret')
  })

  test('`endpoints create --own-secret off` uses the secret of the shop and shows none', async () => {
    const create = `webhooks endpoints create localhost:${receiver.port}/shared`
    expect(await run(`${create} --own-secret off`)).not.toHaveProperty('secret')
    expect(await run(`${create} --own-secret on`)).toHaveProperty('secret')
    expect((await testServer.psp(`${create} --own-secret maybe`)).code).toBe(2)
  })

  test('`events list` and `events get` show events', async () => {
    const { event_id, payment_id } = (await run('trigger payment.failed')) as { event_id: string; payment_id: string }
    expect(await run(`events list --object ${payment_id}`)).toMatchObject({ items: [{ id: event_id }] })
    expect((await testServer.psp(`events get ${event_id}`)).stdout).toContain('"failure_code"')
    expect((await testServer.psp('events get evt_nobody')).code).toBe(4)
  })
})

describe('the simulator', () => {
  test('a rule with several plans applies them in sequence', async () => {
    const rule = (await run('rules add failed,succeeded --match order_id=seq-* --times 2')) as {
      id: string
      plan: string[]
    }
    expect(rule.plan).toEqual(['failed', 'succeeded'])
    expect(await run('payments create --amount 100 --order-id seq-1')).toMatchObject({ simulator: 'failed' })
    expect(await run('payments create --amount 100 --order-id seq-2')).toMatchObject({ simulator: 'succeeded' })
    expect((await testServer.psp('rules list')).stdout).toMatch(/failed, succeeded +spent +order_id=seq-\* +2 +2/)
    await testServer.psp(`rules remove ${rule.id}`)
    expect(await run('rules list')).toMatchObject({ items: [] })
    expect((await testServer.psp('rules add nonsense')).code).toBe(2)
    expect((await testServer.psp('rules clear')).code).toBe(0)
  })

  test('a fault with --times stops after that number of requests', async () => {
    await run('faults add api status:503 --times 1 --match operation=payment')
    expect((await testServer.psp('payments create --amount 100')).code).toBe(1)
    expect((await testServer.psp('payments create --amount 100')).code).toBe(0)
    expect((await testServer.psp('faults list')).stdout).toContain('status:503')
    expect((await testServer.psp('faults clear')).code).toBe(0)
    expect((await testServer.psp('faults add apy latency:1s')).code).toBe(2)
  })

  test('`psp clock` freezes, advances, scales and resumes the clock', async () => {
    expect(await run('clock freeze')).toMatchObject({ mode: 'frozen' })
    const before = (await run('clock show')) as { now: string }
    const after = (await run('clock advance 20m')) as { now: string }
    expect(Date.parse(after.now) - Date.parse(before.now)).toBe(1_200_000)
    expect((await testServer.psp('clock advance --to 2020-01-01T00:00:00Z')).code).toBe(5)
    expect(await run('clock advance --until-idle')).toMatchObject({ steps: expect.any(Number) })
    expect(await run('clock speed 60')).toMatchObject({ mode: 'scaled', speed: 60 })
    expect(await run('clock resume')).toMatchObject({ mode: 'real' })
    await run('clock freeze')
  })

  test('`settings set` changes settings, and rejects unknown names and invalid values', async () => {
    expect(await run('settings set delays.bank=3s webhook_retries=1s,2s')).toMatchObject({
      'delays.bank': '3s',
      webhook_retries: ['1s', '2s'],
    })
    expect(await run('settings delays.bank')).toEqual({ 'delays.bank': '3s' })
    expect((await testServer.psp('settings delays.bank')).stdout).toMatch(/^delays\.bank +3s +1s +settings/m)
    expect((await testServer.psp('settings')).stdout).toContain('idempotency_ttl')
    const unknown = await testServer.psp('settings set delays.bnk=1s')
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean delays.bank?') })
    const far = await testServer.psp('settings set nope=1')
    expect(far).toMatchObject({ code: 2, stderr: expect.stringContaining('`psp settings` lists them all.') })
    const bad = await testServer.psp('settings set delays.bank=soon')
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('expected a duration such as 500ms') })
    expect(await run('settings set empty_dates=null')).toMatchObject({ empty_dates: 'null' })
    expect(await run('settings set empty_dates=')).toMatchObject({ empty_dates: '' })
    await run('settings set empty_dates=omit')
    await run('settings set delays.bank=null webhook_retries=null')
    expect(await run('settings delays.bank')).toEqual({ 'delays.bank': '1s' })
  })

  test.each([
    ['rules add', ['payment_method', 'metadata.<name>', 'shop_id']],
    ['faults add', ['payment_method', 'metadata.<name>', 'status', 'endpoint_id', 'payment_id']],
  ])('`psp %s --help` names the fields of --match', async (path, fields) => {
    const { stdout } = await psp(`${path} --help`)
    for (const field of fields) expect(stdout).toContain(field)
  })

  test('a fault may match an order that does not exist yet', async () => {
    const line = 'faults add api status:503 --times 1 --match order_id=A-1 --match metadata.cart=7 --json'
    expect(jsonOf(await testServer.psp(line))).toMatchObject({ match: { order_id: 'A-1', 'metadata.cart': '7' } })
    const create = (order: string) =>
      testServer.psp(['payments', 'create', '--amount', '100', '--order-id', order, '--metadata', 'cart=7'])
    expect([(await create('B-2')).code, (await create('A-1')).code, (await create('A-1')).code]).toEqual([0, 1, 0])
  })
})
