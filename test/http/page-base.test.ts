// A payment_url has an address that the caller can reach.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { assembleSandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { storedTables } from '../stored-tables.ts'

const CREDENTIALS = {
  api_key: 'sk_test_abc123_x',
  signing_secret: 'thm_aaaaaaaaaaaaaaaa',
  webhook_secret: 'whs_aaaaaaaaaaaaaaaa',
}
const SHARED = { control: { host: '0.0.0.0', loopback: false }, credentials: CREDENTIALS }
/** The address that `psp serve` uses for callers on its machine: that of the first network interface. */
const OWN = 'http://192.0.2.10:7770'

async function served(options: SandboxOptions) {
  const sandbox = await assembleSandbox({ credentials: CREDENTIALS, clock: { mode: 'frozen' }, ...options })
  onTestFinished(() => sandbox.close({ grace_ms: 0 }))
  sandbox.setBaseUrl('http://127.0.0.1:7770')
  sandbox.setPayUrl(OWN)
  /** @param peer absent: the caller is in this process */
  return async (host: string | undefined, peer?: string, path = '/v1/public/payments') => {
    const headers: Record<string, string> = {
      authorization: `Bearer ${CREDENTIALS.api_key}`,
      'content-type': 'application/json',
      ...(host === undefined ? {} : { host }),
    }
    const method = path.startsWith('/pay') ? 'GET' : 'POST'
    const request = new Request(`http://x${path}`, { method, headers, ...(method === 'GET' ? {} : { body: BODY }) })
    return await sandbox.fetch(request, peer === undefined ? undefined : { incoming: incomingOf(headers, peer) })
  }
}

const BODY = '{"amount":100,"method":"sbp"}'

/** Returns a request as the Node server passes it to the sandbox. */
function incomingOf(headers: Record<string, string>, remoteAddress: string): IncomingMessage {
  const body = Readable.from([Buffer.from(BODY)])
  return Object.assign(body, {
    headers: { ...headers, 'content-length': String(BODY.length) },
    rawHeaders: [],
    socket: { remoteAddress },
  }) as unknown as IncomingMessage
}

async function urlFor(options: SandboxOptions, host: string | undefined, peer?: string): Promise<string> {
  const ask = await served(options)
  const response = await ask(host, peer)
  expect(response.status).toBe(201)
  const { payment_url, payment } = (await response.json()) as { payment_url: string; payment: { id: string } }
  expect(payment_url.endsWith(`/pay/${payment.id}`)).toBe(true)
  return payment_url.slice(0, -`/pay/${payment.id}`.length)
}

describe('on a shared host', () => {
  test.each([
    ['the address that another machine used', '192.0.2.7:7770', '192.0.2.50', 'http://192.0.2.7:7770'],
    ['the name that another container used', 'psp:7770', '172.18.0.3', 'http://psp:7770'],
    ['the name of a proxy that passes Host on', 'pay.example', '172.18.0.3', 'http://pay.example'],
    ['a name without its default port', 'PAY.example:80', '172.18.0.3', 'http://pay.example'],
    ['an IPv6 address', '[2001:db8::1]:7770', '2001:db8::2', 'http://[2001:db8::1]:7770'],
    ['localhost with a published port of a container', 'localhost:8080', '172.18.0.1', 'http://localhost:8080'],
    ['the address of the interface for callers on the machine', '127.0.0.1:7770', '127.0.0.1', OWN],
    ['the address of the interface for localhost', 'localhost:7770', '::1', OWN],
    ['the address of the interface for a mapped IPv4 address', 'localhost:7770', '::ffff:127.0.0.1', OWN],
    ['the address of the interface for 0.0.0.0', '0.0.0.0:7770', '127.0.0.1', OWN],
    ['the name that the machine itself used', 'laptop.local:7770', '127.0.0.1', 'http://laptop.local:7770'],
    ['the address of the interface if Host is no host', 'a b/c?d', '192.0.2.50', OWN],
  ])('a payment_url has %s', async (_, host, peer, base) => {
    expect(await urlFor(SHARED, host, peer)).toBe(base)
  })

  test('a payment_url has the address of the interface for callers in the same process', async () => {
    expect(await urlFor(SHARED, undefined)).toBe(OWN)
  })

  test('a payment_url has the address of --pay-url, regardless of Host', async () => {
    expect(await urlFor({ ...SHARED, payUrl: 'https://pay.example/psp' }, 'psp:7770', '172.18.0.3')).toBe(
      'https://pay.example/psp',
    )
  })

  test('the page has the same address in its QR code and its link', async () => {
    const ask = await served(SHARED)
    const { payment } = (await (await ask('psp:7770', '172.18.0.3')).json()) as { payment: { id: string } }
    const page = await (await ask('shop.example:7770', '172.18.0.9', `/pay/${payment.id}`)).text()
    expect(page).toContain(`http://shop.example:7770/pay/${payment.id}`)
  })
})

test('on a loopback host a payment_url does not depend on Host', async () => {
  expect(await urlFor({ control: { host: '127.0.0.1', loopback: true } }, 'evil.example', '127.0.0.1')).toBe(OWN)
})

test('a payment and its webhook do not depend on the address that the caller used', async () => {
  const rows = async (host: string) => {
    const sandbox = await assembleSandbox({ ...SHARED, clock: { mode: 'frozen' }, randomSeed: 1 })
    onTestFinished(() => sandbox.close({ grace_ms: 0 }))
    const headers = { authorization: `Bearer ${CREDENTIALS.api_key}`, 'content-type': 'application/json', host }
    const request = new Request('http://x/v1/public/payments', { method: 'POST', headers, body: BODY })
    const response = await sandbox.fetch(request, { incoming: incomingOf(headers, '192.0.2.50') })
    expect(response.status).toBe(201)
    const { payments, events, idempotency } = storedTables(sandbox.engine.world)
    return { payments, events, idempotency }
  }
  expect(await rows('psp:7770')).toEqual(await rows('192.0.2.7:7770'))
})
