import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import {
  createTestDir,
  jsonOf,
  psp,
  startReceiver,
  startTestServer,
  type TestReceiver,
  type TestServer,
  waitUntil,
} from './helpers.ts'

const BODY = '{"id":"evt_1","event":"payment.succeeded","data":{"note":"Чай ₽"}}'
const SECRET = 'whs_signatures_test'
let testServer: TestServer
let app: TestReceiver

beforeEach(async () => {
  testServer = await startTestServer()
  app = await startReceiver()
})
afterEach(async () => {
  await app.close()
  await testServer.close()
})

const sign = async (...flags: string[]) =>
  (await psp(['sign', '--secret', SECRET, ...flags, '-'], { stdin: BODY })).stdout.trim()
const verify = (signature: string, body: string, ...flags: string[]) =>
  psp(['verify', '--secret', SECRET, '--signature', signature, ...flags, '--json', '-'], { stdin: body })

describe('sign and verify', () => {
  test('a body that `psp sign` signed verifies in each form', async () => {
    expect(jsonOf(await verify(await sign(), BODY))).toMatchObject({ valid: true, cause: null })
    const v1 = await sign('--v1')
    expect(v1).toMatch(/^sha256=[0-9a-f]{64}$/)
    expect(jsonOf(await verify(v1, BODY))).toMatchObject({
      valid: true,
      message: expect.stringContaining('no replay protection'),
    })
    const request = await sign('--request')
    expect(jsonOf(await verify(request, BODY, '--request'))).toMatchObject({ valid: true })
  })

  test.each([
    ['crlf', BODY.replace('{', '{\r\n'), BODY.replace('{', '{\n')],
    ['trailing_newline', BODY, `${BODY}\n`],
    ['bom', BODY, `\uFEFF${BODY}`],
    ['reserialised', BODY, JSON.stringify(JSON.parse(BODY), null, 2)],
    ['mismatch', BODY, BODY.replace('Чай', 'Кофе')],
  ])('`psp verify` finds the cause %s', async (cause, signed, got) => {
    const { stdout } = await psp(['sign', '--secret', SECRET, '-'], { stdin: signed })
    const ran = await verify(stdout.trim(), got)
    expect([ran.code, (jsonOf(ran) as { cause: string }).cause]).toEqual([8, cause])
  })

  test.each([
    ['stale', '1000000000', 'stale'],
    ['future', '9999999999', 'future'],
    ['milliseconds', '1764547200000', 'milliseconds'],
  ])('`psp verify` finds the cause %s of a timestamp', async (_, timestamp, cause) => {
    const ran = await verify(await sign('--timestamp', timestamp), BODY)
    expect([ran.code, (jsonOf(ran) as { cause: string }).cause]).toEqual([8, cause])
  })

  test('--tolerance and --now decide which timestamps are valid', async () => {
    const signature = await sign('--timestamp', '1764547200')
    const at = (time: string, ...more: string[]) => verify(signature, BODY, '--now', time, ...more)
    expect((await at('2025-12-01T00:04:59Z')).code).toBe(0)
    expect((await at('2025-12-01T00:06:00Z')).code).toBe(8)
    expect((await at('2025-12-01T00:06:00Z', '--tolerance', '10m')).code).toBe(0)
    expect((await at('1764547499')).code).toBe(0)
    expect((await at('1764547560')).code).toBe(8)
    const ms = await at('1764547499000')
    expect([ms.code, ms.stderr]).toEqual([2, expect.stringContaining('in Unix seconds')])
  })

  test('--signature accepts the whole header line', async () => {
    const line = async (name: string) =>
      (await verify(`${name}${await sign('--timestamp', '1764547200')}`, BODY, '--now', '1764547200')).code
    expect(await line('X-PSP-Signature: ')).toBe(0)
    expect(await line('x-psp-signature:')).toBe(0)
    expect(await line('X-Other: ')).toBe(8)
  })

  test('`psp verify` without a secret and a sandbox is wrong usage', async () => {
    const ran = await psp(['verify', '--signature', 'sha256=00', '--data', '/nonexistent', '-'], { stdin: BODY })
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('--secret is missing')])
  })
})

describe('the secrets of a sandbox', () => {
  test('`psp sign` without a secret uses the secret of the sandbox and reports that', async () => {
    const known = await testServer.psp(['sign', '--timestamp', '1764547200', '-'], { stdin: BODY })
    const given = ['sign', '--secret', DEFAULT_SHOP.webhook_secret, '--timestamp', '1764547200', '-']
    expect(known).toEqual({
      ...(await psp(given, { stdin: BODY })),
      stderr: expect.stringContaining('webhook secret of'),
    })
    const request = await testServer.psp(['sign', '--request', '-'], { stdin: BODY })
    const signing = ['sign', '--request', '--secret', DEFAULT_SHOP.signing_secret, '-']
    expect(request.stdout).toBe((await psp(signing, { stdin: BODY })).stdout)
    const nobody = await psp(['sign', '--data', '/nonexistent', '-'], { stdin: BODY })
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('--secret is missing')])
  })

  test('`verify --delivery` reports a file or delivery that does not exist', async () => {
    const { code, stderr } = await testServer.psp('verify --delivery lines.json')
    expect([code, stderr]).toEqual([2, expect.stringContaining('lines.json is neither an existing file nor')])
    expect((await testServer.psp('verify --delivery dlv_unknown')).code).toBe(4)
  })

  test('`verify --delivery` knows the secrets of the sandbox, rotated secrets and the sent bytes', async () => {
    const made = jsonOf(await testServer.psp(`webhooks endpoints create localhost:${app.port}/x --json`)) as {
      id: string
      secret: string
    }
    await testServer.psp('trigger payment.succeeded')
    await testServer.psp('clock advance 1s')
    const { items } = jsonOf(await testServer.psp(`webhooks deliveries list --json`)) as { items: { id: string }[] }
    const id = items[0]?.id ?? ''
    const cause = async (...flags: string[]) =>
      (jsonOf(await testServer.psp(['verify', '--delivery', id, ...flags, '--json'])) as { cause: string | null }).cause
    expect(await cause()).toBeNull()
    expect(await cause('--secret', DEFAULT_SHOP.webhook_secret)).toBe('wrong_secret')
    expect(await cause('--secret', DEFAULT_SHOP.signing_secret)).toBe('wrong_secret_kind')
    await testServer.psp(`webhooks endpoints rotate-secret ${made.id}`)
    expect(await cause()).toBe('rotated_secret')

    const request = await testServer.psp(['sign', '--request', '-'], { stdin: BODY })
    const { shop_id } = testServer.sandbox.defaultShop()
    const rotated = jsonOf(await testServer.psp(`shops rotate-secret ${shop_id} signing --json`)) as {
      signing_secret: string
    }
    const verified = async (secret: string, signature: string) => {
      const flags = ['--secret', secret, '--signature', signature, '--json', '-']
      return jsonOf(await testServer.psp(['verify', '--request', ...flags], { stdin: BODY })) as {
        cause: string
        message: string
      }
    }
    const stale = await verified(rotated.signing_secret, request.stdout.trim())
    expect(stale).toMatchObject({
      cause: 'rotated_secret',
      message: expect.stringContaining('Sign with the new secret.'),
    })
    const renewed = await testServer.psp(['sign', '--request', '-'], { stdin: BODY })
    expect(await verified(DEFAULT_SHOP.signing_secret, renewed.stdout.trim())).toMatchObject({
      cause: 'rotated_secret',
    })

    await testServer.psp('faults add webhook tamper --times 1')
    await testServer.psp('trigger payment.failed')
    await testServer.psp('clock advance 1s')
    const latest = jsonOf(await testServer.psp('webhooks deliveries list --limit 1 --json')) as {
      items: { id: string }[]
    }
    const tampered = await testServer.psp(['verify', '--delivery', latest.items[0]?.id ?? '', '--explain'])
    expect(tampered.code).toBe(8)
    expect(tampered.stdout).toMatch(/^not valid/)
  })
})

describe('a handler that rejected a valid webhook', () => {
  test('`verify --delivery` says that the handler rejected a valid webhook, and compares the body that the handler saw', async () => {
    const own = await startTestServer()
    const strict = await startReceiver()
    strict.response = { status: 400, body: 'bad signature\n' }
    const { secret } = jsonOf(
      await own.psp(`webhooks endpoints create http://127.0.0.1:${strict.port}/strict --json`),
    ) as { secret: string }
    await own.psp('trigger payment.failed')
    await own.psp('clock advance 1s')
    const { items } = jsonOf(await own.psp('webhooks deliveries list --json')) as {
      items: { id: string; url: string }[]
    }
    const id = items.find(({ url }) => url.endsWith('/strict'))?.id ?? ''
    const run = ['verify', '--delivery', id, '--explain']
    const explained = await own.psp(run)
    expect(explained.stdout).toMatch(
      /^valid .*\nYour handler returned 400: bad signature\. The sent bytes and signature/,
    )
    expect(explained.stdout).toContain(`psp verify --delivery ${id} body.json --explain`)
    expect(jsonOf(await own.psp([...run, '--json']))).toMatchObject({
      valid: true,
      cause: null,
      note: expect.stringContaining('Your handler returned 400: bad signature.'),
    })
    expect((await own.psp(['verify', '--delivery', id.slice(0, 14), '--explain'])).stdout).toBe(explained.stdout)
    const sent = strict.bodies.at(-1) ?? Buffer.alloc(0)
    const spaced = JSON.stringify(JSON.parse(sent.toString()), null, 2)
    const seen = (body: string | Buffer) =>
      own.psp([...run, '--secret', secret, '--json', '-'], { stdin: body.toString() })
    const parsed = await seen(spaced)
    expect([parsed.code, jsonOf(parsed)]).toMatchObject([8, { valid: false, cause: 'reserialised' }])
    expect(jsonOf(await seen(`${sent}\n`))).toMatchObject({ cause: 'trailing_newline' })
    expect(jsonOf(await seen(sent))).toMatchObject({
      valid: true,
      note: expect.stringContaining('The body and this secret are correct'),
    })
    await strict.close()
    await own.close()
  })

  test.each([
    [404, 'Your handler returned 404: no. The receiver has no such path. Check the URL.'],
    [302, 'Your handler returned 302: no. The service does not follow redirects. Give the final URL.'],
    [500, 'Your handler returned 500: no. The receiver failed with an internal error. See its log.'],
  ])('a response with %i gets advice that is not about the secret', async (status, words) => {
    const strict = await startReceiver()
    strict.response = { status, body: 'no' }
    await testServer.psp(`webhooks endpoints create http://127.0.0.1:${strict.port}/at${status}`)
    await testServer.psp('trigger payment.failed')
    const { items } = jsonOf(await testServer.psp('webhooks deliveries list --json')) as {
      items: { id: string; url: string }[]
    }
    const id = items.find(({ url }) => url.endsWith(`/at${status}`))?.id ?? ''
    const { stdout } = await testServer.psp(['verify', '--delivery', id, '--explain'])
    expect(stdout).toContain(words)
    expect(stdout).not.toContain('Check your secret')
    await strict.close()
  })

  test('`verify --delivery FILE` reports the response of the handler if the file contains it', async () => {
    const folder = createTestDir()
    const strict = await startReceiver()
    strict.response = { status: 401, body: 'who is there?' }
    const listening = testServer.startPsp(['listen', '--forward', `:${strict.port}/hooks`, '--json'])
    await waitUntil(() => listening.output().includes('"ready"'))
    await testServer.psp('trigger payment.succeeded')
    await waitUntil(() => listening.output().includes('"attempt"'))
    listening.signal('SIGINT')
    const lines = (await listening.ended).stdout.trim().split('\n')
    writeFileSync(join(folder.path, 'lines.json'), lines.join('\n'))
    const explained = await testServer.psp('verify --delivery lines.json --explain', { cwd: folder.path })
    expect([explained.code, explained.stdout]).toEqual([
      0,
      expect.stringContaining('Your handler returned 401: who is there? The sent bytes and signature are valid'),
    ])
    expect(explained.stdout).toContain('`psp verify --delivery lines.json body.json --explain`')
    // An event line alone does not contain the response.
    writeFileSync(join(folder.path, 'event.json'), lines.filter((line) => line.includes('body_b64')).join('\n'))
    expect((await testServer.psp('verify --delivery event.json', { cwd: folder.path })).stdout).not.toContain(
      'Your handler',
    )
    folder.remove()
    await strict.close()
  })

  test('`verify --delivery` adds no note if the handler accepted the webhook', async () => {
    await testServer.psp(`webhooks endpoints create localhost:${app.port}/x`)
    await testServer.psp('trigger payment.succeeded')
    await testServer.psp('clock advance 1s')
    const { items } = jsonOf(await testServer.psp('webhooks deliveries list --status delivered --json')) as {
      items: { id: string }[]
    }
    const verified = jsonOf(await testServer.psp(['verify', '--delivery', items[0]?.id ?? 'none', '--json']))
    expect(verified).toMatchObject({ valid: true })
    expect(verified).not.toHaveProperty('note')
  })
})

describe('a body that differs from the stored event', () => {
  test('a body that differs from the stored event is tampered, and the body of an unknown event is a mismatch', async () => {
    const hooks = `http://127.0.0.1:${app.port}/hooks`
    const { stdout } = await testServer.psp(['webhooks', 'endpoints', 'create', hooks, '--json'])
    const { secret } = JSON.parse(stdout)
    await testServer.psp(['trigger', 'payment.succeeded', '--set', 'amount=12300'])
    await testServer.sandbox.idle()
    const { items } = JSON.parse((await testServer.psp('webhooks deliveries list --json')).stdout)
    const { headers, body } = items[0].attempts[0].request
    const signature = headers['x-psp-signature'] ?? headers['X-PSP-Signature']
    const changed = body.replace('"amount":12300', '"amount":100')
    expect(changed).not.toBe(body)
    const run = ['verify', '--secret', secret, '--signature', signature, '--json', '-']
    expect(jsonOf(await testServer.psp(run, { stdin: body }))).toMatchObject({ valid: true })
    expect(jsonOf(await testServer.psp(run, { stdin: changed }))).toMatchObject({ valid: false, cause: 'tampered' })
    const unknown = changed.replace(/evt_[a-z0-9]+/, 'evt_0')
    expect(jsonOf(await testServer.psp(run, { stdin: unknown }))).toMatchObject({ cause: 'mismatch' })
    // A replay with an edited body is newer, but its body is not that of the event.
    const folder = createTestDir()
    const edited = join(folder.path, 'edited.json')
    writeFileSync(edited, '{"id":"x"}')
    await testServer.psp(['events', 'replay', items[0].event_id, '--body', edited])
    expect(jsonOf(await testServer.psp(run, { stdin: changed }))).toMatchObject({ valid: false, cause: 'tampered' })
    folder.remove()
  })
})

describe('the time and the event of a delivery', () => {
  const HOUR = 3_600_000
  const FIRST = '{"id":"evt_1","event":"payment.succeeded"}'
  const SECOND = '{"id":"evt_2","event":"payment.failed"}'
  const SENT_AT = '2025-12-01T00:00:00Z'

  /** Returns a line of `psp listen --json` with the event, signed at `SENT_AT`. */
  async function eventLine(body: string, at: string | undefined): Promise<string> {
    const timestamp = String(Date.parse(SENT_AT) / 1000)
    const { stdout } = await psp(['sign', '--secret', SECRET, '--timestamp', timestamp, '-'], { stdin: body })
    const headers = [['X-PSP-Signature', stdout.trim()]]
    return JSON.stringify({ type: 'event', at, headers, body_b64: Buffer.from(body).toString('base64') })
  }
  const verifyLines = (stdin: string, ...flags: string[]) =>
    psp(['verify', '--delivery', '-', '--secret', SECRET, '--json', ...flags], { stdin })

  test('`verify --delivery` counts the tolerance from the time in the line, or from now if the line has no time', async () => {
    expect(jsonOf(await verifyLines(await eventLine(FIRST, SENT_AT)))).toMatchObject({ valid: true })
    const late = await verifyLines(await eventLine(FIRST, '2025-12-01T01:00:00Z'))
    expect([late.code, jsonOf(late)]).toMatchObject([8, { cause: 'stale' }])
    expect(jsonOf(await verifyLines(await eventLine(FIRST, undefined)))).toMatchObject({ cause: 'stale' })
  })

  test('`verify --delivery` of a file with two events verifies the last one', async () => {
    const tampered = (await eventLine(SECOND, SENT_AT)).replace(/"body_b64":"[^"]+"/, '"body_b64":"e30="')
    const valid = await eventLine(FIRST, SENT_AT)
    expect((await verifyLines(`${tampered}\n${valid}\n`)).code).toBe(0)
    expect((await verifyLines(`${valid}\n${tampered}\n`)).code).toBe(8)
  })

  test('`verify --delivery ID` counts the tolerance from the time of the attempt', async () => {
    await testServer.psp(`webhooks endpoints create localhost:${app.port}/x`)
    await testServer.psp('trigger payment.succeeded')
    await testServer.psp('clock advance 1s')
    const { items } = jsonOf(await testServer.psp('webhooks deliveries list --json')) as { items: { id: string }[] }
    const clock = createSystemClock()
    const systemClock = { ...clock, now: () => (clock.now() + HOUR) as ReturnType<typeof clock.now> }
    const ran = await testServer.psp(['verify', '--delivery', items[0]?.id ?? '', '--json'], { systemClock })
    expect([ran.code, jsonOf(ran)]).toMatchObject([0, { valid: true }])
  })
})
