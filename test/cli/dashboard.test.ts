import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createTestDir,
  jsonOf,
  startReceiver,
  startTestServer,
  type TestReceiver,
  type TestServer,
  waitUntil,
} from './helpers.ts'

let rig: TestServer
let shop: TestReceiver

beforeEach(async () => {
  rig = await startTestServer()
  shop = await startReceiver()
})
afterEach(async () => {
  await shop.close()
  await rig.close()
})

const run = async (line: string | string[]) =>
  jsonOf(await rig.psp(typeof line === 'string' ? `${line} --json` : [...line, '--json']))

describe('payouts and banks', () => {
  test('create, settle, list', async () => {
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
    expect((await rig.psp(`payouts get ${made.payout.id}`)).stdout).toMatch(/^failure +recipient_not_found$/m)
    expect((await rig.psp(`payouts settle ${made.payout.id} succeeded`)).code).toBe(5)
    expect((await rig.psp(`payouts settle ${made.payout.id} failed:recipient_not_fond`)).stderr).toContain(
      'Did you mean',
    )
  })

  test('banks are found by a part of their name, and columns stay aligned', async () => {
    const { stdout } = await rig.psp('banks сбер')
    const [head = '', row = ''] = stdout.split('\n')
    expect(row.indexOf('Sberbank')).toBe(head.indexOf('name in English'))
    expect(await run('banks')).toMatchObject({ items: { length: 218 } })
  })
})

describe('shops, keys, endpoints', () => {
  test('a shop of one test, with its key', async () => {
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
    const unsigned = await rig.psp(`payments create --amount 100 --api-key ${made.api_key}`)
    expect(unsigned.code).toBe(5)
    expect(unsigned.stderr).toContain('PSP_SIGNING_SECRET')
    const { signing_secret } = (await run(`shops rotate-secret ${made.shop_id} signing`)) as { signing_secret: string }
    expect(
      (await rig.psp(`payments create --amount 100 --api-key ${made.api_key} --signing-secret ${signing_secret}`)).code,
    ).toBe(0)
    const { id, api_key } = (await run(`keys create --shop ${made.shop_id}`)) as { id: string; api_key: string }
    expect((await rig.psp(`keys list --shop ${made.shop_id}`)).stdout).toContain(id)
    await rig.psp(`keys revoke ${id}`)
    expect((await rig.psp(`payments create --amount 100 --api-key ${api_key}`)).code).toBe(3)
  })

  test('--require-signature alone demands signed requests', async () => {
    const made = (await run('shops create --require-signature')) as { shop_id: string }
    const { shop_id } = made
    const demands = async (line: string) => ((await run(line)) as { require_signature: boolean }).require_signature
    expect(await demands(`shops get ${shop_id}`)).toBe(true)
    expect(await demands(`shops update ${shop_id} --require-signature off`)).toBe(false)
    expect(await demands(`shops update ${shop_id} --require-signature`)).toBe(true)
    expect(await demands(`shops update --require-signature=off ${shop_id}`)).toBe(false)
  })

  test('an endpoint: create, test, replay, retry, delete', async () => {
    const url = `localhost:${shop.port}/hooks`
    const made = (await run(['webhooks', 'endpoints', 'create', url, '--events', 'payment.*,!payment.expired'])) as {
      id: string
      secret: string
      events: string[]
    }
    expect(made.secret).toMatch(/^whs_/)
    expect(made.events).not.toContain('payment.expired')
    expect((await rig.psp('webhooks endpoints list')).stdout).toContain(`http://${url}`)
    expect((await rig.psp(`webhooks endpoints test ${made.id}`)).code).toBe(0)
    expect(shop.bodies.at(-1)?.toString()).toContain('"sample"')

    shop.response = { status: 500, body: 'broken \u001b[31mred' }
    const failed = await rig.psp(`webhooks endpoints test ${made.id}`)
    expect(failed.code).toBe(1)
    expect(failed.stdout).toContain('< broken red')
    shop.response = { status: 200 }

    const triggered = (await run('trigger payment.succeeded --set order_id=42')) as {
      event_id: string
      payment_id: string
    }
    await run('clock advance 1s')
    const before = shop.bodies.at(-1)
    expect((await rig.psp(`events replay ${triggered.event_id}`)).code).toBe(0)
    expect(shop.bodies.at(-1)?.equals(before ?? Buffer.alloc(0))).toBe(true)
    expect((await rig.psp(`events replay ${triggered.event_id} --to ${url}`)).stdout).toContain('200')
    const many = await rig.psp('events replay --since 1h --event payment.succeeded --json')
    expect(many.stdout.trimEnd().split('\n').length).toBeGreaterThan(1)

    const { items } = (await run(`webhooks deliveries list --event ${triggered.event_id}`)) as {
      items: { id: string }[]
    }
    const shown = await rig.psp(`webhooks deliveries get ${items.at(-1)?.id}`)
    expect(shown.stdout).toMatch(/^> x-psp-signature: t=\d+,v1=[0-9a-f]+,v2=[0-9a-f]+$/m)
    expect((await rig.psp(`webhooks deliveries retry ${items.at(-1)?.id}`)).stdout).toContain('200')

    expect((await rig.psp(`webhooks endpoints update ${made.id} --active off`)).stdout).toMatch(/^active +no$/m)
    expect((await rig.psp(`webhooks endpoints update ${made.id}`)).code).toBe(2)
    expect((await rig.psp(`webhooks endpoints rotate-secret ${made.id}`)).stdout).toMatch(/^whs_\w+\n$/)
    expect((await rig.psp(`webhooks endpoints delete ${made.id}`)).code).toBe(0)
    expect((await rig.psp(`webhooks endpoints test ${made.id}`)).code).toBe(4)
  })

  test('revoked keys are left out of the table, and told', async () => {
    const { id } = (await run('keys create')) as { id: string }
    await rig.psp(`keys revoke ${id}`)
    const { stdout, stderr } = await rig.psp('keys list')
    expect([stdout.includes(id), stderr.trim()]).toEqual([false, '1 revoked keys are not shown. --all shows them.'])
    expect((await rig.psp('keys list --all')).stdout).toContain(id)
    expect(JSON.stringify(await run('keys list'))).toContain(id)
  })

  test('a setting is told as it is shown and set', async () => {
    const set = await rig.psp('settings set buyer=manual http_return_url=true webhook_retries=10s,1m')
    expect(set.stdout).toBe('buyer = manual\nhttp_return_url = true\nwebhook_retries = 10s,1m\n')
  })

  test('a path without its prefix is told with it', async () => {
    expect((await rig.psp('request GET /payments/x')).stdout).toContain('Did you mean /v1/public/payments/x?')
    expect((await rig.psp('request GET /health')).stdout).toContain('Did you mean /_psp/health?')
    expect((await rig.psp('request GET /nowhere')).stdout).not.toContain('Did you mean')
  })

  test('the request log counts no finer than a microsecond', async () => {
    await run('payments create --amount 100')
    const { stdout } = await rig.psp('logs --json')
    const times = [...stdout.matchAll(/"ms":([\d.]+)/g)].map(([, ms = '']) => ms)
    expect(times.length).toBeGreaterThan(0)
    for (const ms of times) expect(ms).toMatch(/^\d+(\.\d{1,3})?$/)
  })

  test('what was given up is sent again, all of it, in the order of the events', async () => {
    await run(`webhooks endpoints create localhost:${shop.port}/hooks`)
    shop.response = { status: 500 }
    const made = ['1', '2', '3'].map((order) => `trigger payment.succeeded --set order_id=${order}`)
    for (const line of made) await run(line)
    await run('clock advance --until-idle')
    await run('trigger payment.failed')
    const listed = await rig.psp('webhooks deliveries list --status exhausted')
    expect(listed.stderr).toContain('`psp webhooks deliveries retry --status exhausted`')

    const failing = await rig.psp('webhooks deliveries retry --status exhausted')
    expect([failing.code, failing.stderr]).toEqual([1, expect.stringContaining('3 of 3 failed.')])
    shop.response = { status: 200 }
    const before = shop.bodies.length
    expect((await rig.psp('webhooks deliveries retry --status exhausted --dry-run')).stdout).toContain('exhausted')
    expect(shop.bodies).toHaveLength(before)
    const sent = await rig.psp('webhooks deliveries retry --status exhausted')
    expect([sent.code, sent.stdout.match(/payment\.succeeded/g)?.length]).toEqual([0, 3])
    const orders = shop.bodies.slice(before).map((body) => JSON.parse(body.toString()).data.order_id)
    expect(orders).toEqual(['1', '2', '3'])
    expect((await rig.psp('webhooks deliveries retry --status exhausted')).stderr).toContain('No such deliveries.')
    expect((await rig.psp('webhooks deliveries retry')).code).toBe(2)
    expect((await rig.psp('webhooks deliveries retry dlv_x --status exhausted')).code).toBe(2)
  })

  test('one that was not taken is told so, and what was ended tells how far it came', async () => {
    const { id } = (await run(`webhooks endpoints create localhost:${shop.port}/hooks`)) as { id: string }
    shop.response = { status: 500 }
    await run('trigger payment.succeeded --set order_id=alone')
    await run('clock advance --until-idle')
    const alone = await rig.psp(`webhooks deliveries retry --endpoint ${id}`)
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('1 of 1 failed.')])
    await run('trigger payment.succeeded --set order_id=other')
    await run('clock advance --until-idle')
    shop.response = { status: 200, silent: true }
    const before = shop.bodies.length
    const running = rig.startPsp(['webhooks', 'deliveries', 'retry', '--endpoint', id])
    await waitUntil(() => shop.bodies.length > before)
    running.signal('SIGINT')
    expect((await running.ended).stderr).toContain('Ended: 0 of 2 deliveries done, others may be in progress.')
    shop.response = { status: 200 }
  })

  test("an endpoint that signs with the shop's own secret has none of its own to show", async () => {
    const create = `webhooks endpoints create localhost:${shop.port}/shared`
    expect(await run(`${create} --own-secret off`)).not.toHaveProperty('secret')
    expect(await run(`${create} --own-secret on`)).toHaveProperty('secret')
    expect((await rig.psp(`${create} --own-secret maybe`)).code).toBe(2)
  })

  test('events are listed and shown', async () => {
    const { event_id, payment_id } = (await run('trigger payment.failed')) as { event_id: string; payment_id: string }
    expect(await run(`events list --object ${payment_id}`)).toMatchObject({ items: [{ id: event_id }] })
    expect((await rig.psp(`events get ${event_id}`)).stdout).toContain('"failure_code"')
    expect((await rig.psp('events get evt_nobody')).code).toBe(4)
  })
})

describe('the simulator', () => {
  test('rules, in sequence', async () => {
    const rule = (await run('rules add failed,succeeded --match order_id=seq-* --times 2')) as {
      id: string
      plan: string[]
    }
    expect(rule.plan).toEqual(['failed', 'succeeded'])
    expect(await run('payments create --amount 100 --order-id seq-1')).toMatchObject({ simulator: 'failed' })
    expect(await run('payments create --amount 100 --order-id seq-2')).toMatchObject({ simulator: 'succeeded' })
    expect((await rig.psp('rules list')).stdout).toMatch(/failed, succeeded +spent +order_id=seq-\* +2 +2/)
    await rig.psp(`rules remove ${rule.id}`)
    expect(await run('rules list')).toMatchObject({ items: [] })
    expect((await rig.psp('rules add nonsense')).code).toBe(2)
    expect((await rig.psp('rules clear')).code).toBe(0)
  })

  test('faults, counted', async () => {
    await run('faults add api status:503 --times 1 --match operation=payment')
    expect((await rig.psp('payments create --amount 100')).code).toBe(1)
    expect((await rig.psp('payments create --amount 100')).code).toBe(0)
    expect((await rig.psp('faults list')).stdout).toContain('status:503')
    expect((await rig.psp('faults clear')).code).toBe(0)
    expect((await rig.psp('faults add apy latency:1s')).code).toBe(2)
  })

  test('the clock', async () => {
    expect(await run('clock freeze')).toMatchObject({ mode: 'frozen' })
    const before = (await run('clock show')) as { now: string }
    const after = (await run('clock advance 20m')) as { now: string }
    expect(Date.parse(after.now) - Date.parse(before.now)).toBe(1_200_000)
    expect((await rig.psp('clock advance --to 2020-01-01T00:00:00Z')).code).toBe(5)
    expect(await run('clock advance --until-idle')).toMatchObject({ steps: expect.any(Number) })
    expect(await run('clock speed 60')).toMatchObject({ mode: 'scaled', speed: 60 })
    expect(await run('clock resume')).toMatchObject({ mode: 'real' })
    await run('clock freeze')
  })

  test('settings', async () => {
    expect(await run('settings set delays.bank=3s webhook_retries=1s,2s')).toMatchObject({
      'delays.bank': '3s',
      webhook_retries: ['1s', '2s'],
    })
    expect(await run('settings delays.bank')).toEqual({ 'delays.bank': '3s' })
    expect((await rig.psp('settings delays.bank')).stdout).toMatch(/^delays\.bank +3s +1s +settings/m)
    expect((await rig.psp('settings')).stdout).toContain('idempotency_ttl')
    const unknown = await rig.psp('settings set delays.bnk=1s')
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean delays.bank?') })
    const far = await rig.psp('settings set nope=1')
    expect(far).toMatchObject({ code: 2, stderr: expect.stringContaining('`psp settings` lists them all.') })
    const bad = await rig.psp('settings set delays.bank=soon')
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('expected a duration such as 500ms') })
    expect(await run('settings set empty_dates=null')).toMatchObject({ empty_dates: 'null' })
    expect(await run('settings set empty_dates=')).toMatchObject({ empty_dates: '' })
    await run('settings set empty_dates=omit')
    await run('settings set delays.bank=null webhook_retries=null')
    expect(await run('settings delays.bank')).toEqual({ 'delays.bank': '1s' })
  })
})

describe('the store', () => {
  test('snapshot, reset, restore, export, import', async () => {
    const folder = createTestDir()
    const count = async () => ((await run('payments list --limit 1000')) as { items: unknown[] }).items.length
    try {
      await run('payments create --amount 100')
      const before = await count()
      expect((await rig.psp('store snapshot one')).code).toBe(0)
      const exported = await rig.psp(['store', 'export', 'state.json'], { cwd: folder.path })
      expect(exported).toMatchObject({ code: 0, stdout: 'written to state.json; it contains secrets\n' })
      await rig.psp('store reset')
      expect(await count()).toBe(0)
      await rig.psp('store restore one')
      expect(await count()).toBe(before)
      await rig.psp('store reset --all')
      expect((await rig.psp(['store', 'import', 'state.json'], { cwd: folder.path })).code).toBe(0)
      expect(await count()).toBe(before)
      expect((await rig.psp('store snapshots')).stdout).toContain('one')
      expect((await rig.psp('store forget one')).code).toBe(0)
      const gone = await rig.psp('store restore one')
      expect(gone).toMatchObject({
        code: 4,
        stderr: expect.stringMatching(/no snapshot one\.\n`psp store snapshots` lists/),
      })
      expect((await rig.psp(['store', 'import', 'nowhere.json'], { cwd: folder.path })).code).toBe(2)
      const toStdout = await rig.psp('store export -')
      expect(JSON.parse(toStdout.stdout)).toHaveProperty('tables')
    } finally {
      folder.remove()
    }
  })
})

describe('looking in', () => {
  test('logs, filtered, with what decided and bodies', async () => {
    await rig.psp(['payments', 'create', '--amount', '100', '--order-id', 'log-me'])
    await rig.psp('payments get nonsense')
    const all = await rig.psp('logs --show-body')
    expect(all.stdout).toContain('by default')
    expect(all.stdout).toContain('log-me')
    const refused = (await run('logs --status 4xx')) as { items: { status: number }[] }
    expect(refused.items.every(({ status }) => status >= 400 && status < 500)).toBe(true)
    expect(refused.items.length).toBeGreaterThan(0)
  })

  test('request: status on stderr, body on stdout, exit code by status', async () => {
    const good = await rig.psp(['request', 'POST', '/v1/public/payments', '-d', '{"amount": 100}', '--sign'])
    expect(good.code).toBe(0)
    expect(good.stderr).toMatch(/^201 {2}application\/json/)
    expect(JSON.parse(good.stdout)).toMatchObject({ payment: { amount: 100 } })
    expect((await rig.psp(['request', 'POST', '/v1/public/payments', '-d', '{'])).code).toBe(5)
    expect((await rig.psp('request get _psp/health --json')).stdout).toMatch(/^{"status":"ok"/)
    expect((await rig.psp('request PURGE /x')).code).toBe(2)
    const piped = await rig.psp(['request', 'POST', '/v1/public/payments', '-d', '-'], { stdin: '{"amount":7}' })
    expect(JSON.parse(piped.stdout)).toMatchObject({ payment: { amount: 7 } })
  })

  test('request --json: a refusal is one line on stderr, with nothing on stdout', async () => {
    const refused = await rig.psp('request GET /v1/public/payments/x --json')
    expect([refused.code, refused.stdout]).toEqual([4, ''])
    expect(JSON.parse(refused.stderr)).toEqual({
      error: {
        code: 'not_found',
        message: 'There is no payment x for this API key.',
        hint: expect.stringContaining('payments list'),
      },
    })
    expect(refused.stderr.trimEnd()).not.toContain('\n')
    const head = await rig.psp('request HEAD /v1/public/payments/x --json')
    expect([head.code, head.stdout, JSON.parse(head.stderr).error.code]).toEqual([4, '', 'unexpected_response'])
  })

  test("request: headers replace what is sent by itself, in any letter case; 'K:' leaves one out", async () => {
    const send = (...more: string[]) =>
      rig.psp(['request', 'POST', '/v1/public/payments', '-d', '{"amount":1}', ...more])
    expect((await send('-H', 'content-type: text/plain')).stdout).toContain('application/json')
    expect((await send('-H', 'authorization:')).code).toBe(3)
    expect((await send('-H', 'Idempotency-Key;')).stdout).toContain('Idempotency-Key')
    expect((await rig.psp('request head /v1/public/banks/sbp')).stderr).toMatch(/^200/)
    expect((await rig.psp('request OPTIONS /v1/public/payments -i')).stderr).toContain('allow: POST')
    expect((await rig.psp(['request', 'GET', '/x', '-d', '{}'])).code).toBe(2)
  })

  test('lists narrow to the key that is given', async () => {
    const other = (await run('shops create --name Other')) as { shop_id: string; api_key: string }
    const key = `--api-key ${other.api_key}`
    await run('payments create --amount 100')
    await run(`payments create --amount 700 ${key}`)
    await run(`payouts create --amount 700 --phone +79991234567 --bank-id 100000000111 ${key}`)
    for (const list of ['payments', 'payouts']) {
      const own = (await run(`${list} list ${key}`)) as { items: { shop_id: string; amount: number }[] }
      expect(own.items.map(({ shop_id, amount }) => [shop_id, amount])).toEqual([[other.shop_id, 700]])
    }
    const all = (await run('payments list')) as { items: { shop_id: string }[] }
    expect(new Set(all.items.map(({ shop_id }) => shop_id)).size).toBeGreaterThan(1)
    const live = (await run(`keys create --shop ${other.shop_id} --mode live`)) as { api_key: string }
    expect(await run(`payments list --api-key ${live.api_key}`)).toMatchObject({ items: [] })
    const stranger = await rig.psp('payments list --api-key sk_test_abcdef_unknown')
    expect(stranger).toMatchObject({ code: 3, stderr: expect.stringContaining('No shop of this sandbox') })
  })

  test('what is planned is shown with its code, and hints name what was typed', async () => {
    const { stdout } = await rig.psp('payments create --amount 100 --outcome failed:insufficient_funds')
    expect(stdout).toMatch(/^planned +failed:insufficient_funds, by --outcome$/m)
    const id = /^payment +(\S+)$/m.exec(stdout)?.[1] ?? ''
    const early = await rig.psp(`payments refund ${id}`)
    expect([early.code, early.stderr]).toEqual([5, expect.stringContaining(`\`psp payments get ${id}\` shows`)])
    expect(await rig.psp('webhooks endpoints create notaurl')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a word, not an address'),
    })
  })

  test('openapi, both documents', async () => {
    expect(await run('openapi')).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) })
    expect(await run('openapi --control')).toHaveProperty('paths')
  })

  test('doctor: ready, and what it finds', async () => {
    expect((await rig.psp('doctor --ready')).stdout).toBe(`ready  ${rig.url}\n`)
    expect(await run('doctor')).toMatchObject({ ok: true })
    expect((await rig.psp('doctor --ready --url http://127.0.0.1:1')).code).toBe(6)
    expect((await rig.psp('doctor --ready --wait --timeout 50ms --url http://127.0.0.1:1')).code).toBe(7)
    expect((await rig.psp('doctor --url http://127.0.0.1:1')).code).toBe(1)
    const proxied = await rig.psp('doctor', { env: { HTTP_PROXY: 'http://proxy:3128' } })
    expect(proxied.stdout).toMatch(/^warn {2}proxies/m)
  })

  test('config masks secrets and names origins', async () => {
    const { stdout } = await rig.psp('config --api-key sk_test_abcdef_secretsecret')
    expect(stdout).toMatch(/^api_key +sk_test_\*\*\* +--api-key$/m)
    expect(stdout).toMatch(/^url +http:\S+ +PSP_URL$/m)
    expect(stdout).not.toContain('secretsecret')
  })
})

test.each(['/healthz', '/ready', '/livez', '/_psp'])('GET %s: the route that tells how the server is', async (path) => {
  const { stderr, stdout } = await rig.psp(`request GET ${path}`)
  expect(`${stdout}${stderr}`).toContain('GET /_psp/health reports whether the server is ready.')
})
