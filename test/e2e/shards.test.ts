// Two built servers behind nginx with the shipped configuration of docs/scaling.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa, execaSync } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox, type TestSandbox } from '../../src/testing/index.ts'
import type { Adapter } from '../contract/adapter.ts'
import { createPayment, get, PAYMENTS } from '../contract/caller.ts'
import { CONTRACT_CASES } from '../contract/cases.ts'
import { createAdapter } from '../contract/testing-adapter.ts'
import { reservedPort } from '../ports.ts'
import { createWorkspace } from './helpers.ts'

const CONF = new URL('../../examples/scaling/nginx.conf', import.meta.url)
const NGINX = ['/usr/sbin/nginx', 'nginx'].find((path) => execaSync(path, ['-v'], { reject: false }).exitCode === 0)

describe.skipIf(NGINX === undefined)('two shards behind nginx (skipped: nginx is not installed)', () => {
  const box = createWorkspace()
  const shards: { port: number; server: Awaited<ReturnType<typeof start>>; sandbox: TestSandbox }[] = []
  let proxy: { url: string; stop(): Promise<void> }

  beforeAll(async () => {
    const ports = await Promise.all([reservedPort(), reservedPort(), reservedPort()])
    for (const shard of [0, 1]) {
      const port = ports[shard] ?? 0
      const server = await start(shard, port, ['--generate-credentials', '--clock', 'frozen'])
      const sandbox = await startSandbox({
        url: server.ready.url,
        apiKey: server.ready.api_key,
        signingSecret: server.ready.signing_secret,
        webhookSecret: server.ready.webhook_secret,
      })
      shards.push({ port, server, sandbox })
    }
    proxy = await startProxy(ports)
  })
  afterAll(async () => {
    await proxy?.stop()
    for (const { sandbox } of shards) await sandbox.close()
    await box.remove()
  })

  async function start(shard: number, port: number, flags: readonly string[] = []) {
    const shardFlags = ['--port', String(port), '--data', `shard-${shard}`, '--shard', String(shard)]
    const server = await box.start(['serve', '--json', ...shardFlags, ...flags], /"type":"ready"/)
    return { ...server, ready: JSON.parse(server.first) as Ready }
  }

  async function startProxy([first, second, own]: number[]) {
    const text = readFileSync(CONF, 'utf8')
      .replaceAll('127.0.0.1:7770', `127.0.0.1:${first}`)
      .replaceAll('127.0.0.1:7771', `127.0.0.1:${second}`)
      .replaceAll('127.0.0.1:7700', `127.0.0.1:${own}`)
    const prefix = join(box.cwd, 'nginx')
    mkdirSync(join(prefix, 'temp'), { recursive: true })
    writeFileSync(join(prefix, 'nginx.conf'), text)
    const child = execa(NGINX ?? '', ['-p', prefix, '-c', join(prefix, 'nginx.conf')], {
      reject: false,
      timeout: 300_000,
    })
    const url = `http://127.0.0.1:${own}`
    while (!(await isReady(`${url}/shards/01/health`))) await new Promise((done) => setTimeout(done, 10))
    return {
      url,
      async stop() {
        child.kill('SIGQUIT')
        await child
      },
    }
  }

  const through = (shard: number): Adapter =>
    createAdapter(
      shards[shard]?.sandbox as TestSandbox,
      (path, init) => fetch(`${proxy.url}${path}`, init),
      async () => {},
    )

  test('keys and payment ids contain their shard', async () => {
    for (const shard of [0, 1]) {
      expect(shards[shard]?.server.ready.api_key).toMatch(new RegExp(`^sk_test_S0${shard}`))
      const { payment } = (await createPayment(through(shard))).body
      expect(payment.id).toMatch(new RegExp(`0${shard}$`))
      // A request for the page has no key, so nginx finds the shard by the id.
      expect((await get(through(1 - shard), `/pay/${payment.id}`, { key: null })).status).toBe(200)
      expect((await get(through(1 - shard), `${PAYMENTS}/${payment.id}`)).status).toBe(404)
    }
    expect((await get(through(0), '/_psp/settings')).status).toBe(404)
  })

  let turn = 0
  test.each(CASES.map((each) => [each.section, each.promise, each] as const))(
    'spec %s holds behind nginx: %s',
    async (_, __, { run }) => {
      const adapter = through(turn++ % 2)
      try {
        await run(adapter)
      } finally {
        await adapter.reset()
      }
    },
  )

  test('a killed shard loses nothing, and the other one continues', async () => {
    const [kept, other] = [through(0), through(1)]
    const ids: string[] = []
    for (let n = 0; n < 20; n++) ids.push((await createPayment(kept)).body.payment.id)
    shards[0]?.server.child.kill('SIGKILL')
    await shards[0]?.server.child
    const { api_key = '', signing_secret = '', webhook_secret = '' } = shards[0]?.server.ready ?? {}
    // The response is that of the proxy, and no operation has it.
    const away = await fetch(`${proxy.url}${PAYMENTS}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: '{"amount":100}',
    })
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await away.json()).toMatchObject({ error: { code: 'shard_unavailable' } })
    expect((await createPayment(other)).status).toBe(201)
    const credentials = ['--api-key', api_key, '--signing-secret', signing_secret, '--webhook-secret', webhook_secret]
    await start(0, shards[0]?.port ?? 0, credentials)
    for (const id of ids) expect((await get(kept, `${PAYMENTS}/${id}`)).body).toMatchObject({ id, status: 'pending' })
    expect((await createPayment(kept)).status).toBe(201)
    expect(CASES).toHaveLength(CONTRACT_CASES.length - PROXY_CASES.length)
  })
})

/** Cases in which a proxy necessarily differs. */
const PROXY_CASES = [
  // nginx responds 400 to %00 in a path.
  'an id that is not a UUID or does not exist is 404',
  // The proxy is one more hop.
  'X-Forwarded-For is read from the right, and only behind trusted proxies',
]
const CASES = CONTRACT_CASES.filter(({ promise: name }) => !PROXY_CASES.includes(name))

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status === 200
  } catch {
    return false
  }
}

interface Ready {
  readonly url: string
  readonly api_key: string
  readonly signing_secret: string
  readonly webhook_secret: string
}
