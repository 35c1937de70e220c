// What happens to a server in rough hands: killed while it answers, its files damaged, its output full.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BIN, createWorkspace, startVerifyingReceiver } from './helpers.ts'

let folder: ReturnType<typeof createWorkspace>
beforeEach(() => {
  folder = createWorkspace()
})
afterEach(() => folder.remove())

type Body = string | Uint8Array<ArrayBuffer>

interface Ready {
  readonly url: string
  readonly api_key: string
}

const create = (ready: Ready, body: Body, headers = {}) =>
  fetch(`${ready.url}/v1/public/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.api_key}`, 'content-type': 'application/json', ...headers },
    body,
  })

describe('kill -9 under twenty parallel writers', () => {
  it('loses no answered payment and doubles no key', async () => {
    const answered = new Map<string, string>()
    const first = await folder.serve('--quiet', '--clock', 'frozen')
    let key = 0
    const writer = async () => {
      for (;;) {
        const mine = `key-${key++}`
        const reply = await create(first.ready, '{"amount":100}', { 'idempotency-key': mine })
        answered.set(mine, ((await reply.json()) as { payment: { id: string } }).payment.id)
        if (answered.size === 300) first.child.kill('SIGKILL')
      }
    }
    await Promise.allSettled(Array.from({ length: 20 }, writer))
    await first.child
    expect(answered.size).toBeGreaterThanOrEqual(300)
    const { ready } = await folder.serve('--quiet', '--clock', 'frozen')
    for (const [mine, id] of answered) {
      const again = await create(ready, '{"amount":100}', { 'idempotency-key': mine })
      expect([mine, again.status]).toEqual([mine, 200])
      expect(((await again.json()) as { payment: { id: string } }).payment.id).toBe(id)
    }
  })
})

describe('a damaged folder', () => {
  const damage = async (find: (cwd: string) => string, change: (text: string) => string) => {
    const server = await folder.serve('--quiet', '--clock', 'frozen')
    for (let i = 0; i < 3; i++) await create(server.ready, '{"amount":100}')
    server.child.kill('SIGKILL')
    await server.child
    const path = find(folder.cwd)
    writeFileSync(path, change(readFileSync(path, 'utf8')))
    const before = readFileSync(path)
    const ended = await folder.psp('serve', '--port', '0')
    return { path, ended, unchanged: before.equals(readFileSync(path)) }
  }
  const journal = (cwd: string) => {
    const path = join(cwd, '.psp', 'journal')
    return join(path, readdirSync(path).sort().at(-1) ?? '')
  }

  it('stops the start, names file and line, and changes nothing', async () => {
    const { path, ended, unchanged } = await damage(journal, (text) => {
      const lines = text.split('\n')
      lines[1] = lines[1]?.replace('"at":', '"aT":') ?? ''
      return lines.join('\n')
    })
    expect(ended.exitCode).toBe(1)
    expect(ended.stdout).toBe('')
    expect(ended.stderr).toContain(`${path.split('/').slice(-1)[0]}:2`)
    expect(unchanged).toBe(true)
  })

  it('is no damage where only the last line is torn: it is dropped with a notice', async () => {
    const server = await folder.serve('--quiet', '--clock', 'frozen')
    const kept = await (await create(server.ready, '{"amount":100}')).json()
    server.child.kill('SIGKILL')
    await server.child
    writeFileSync(journal(folder.cwd), `${readFileSync(journal(folder.cwd), 'utf8')}{"seq":99,"at"`)
    const { ready, child } = await folder.serve('--quiet', '--clock', 'frozen')
    const listed = await (await fetch(`${ready.url}/_psp/payments`)).json()
    expect(listed).toMatchObject({ items: [{ id: (kept as { payment: { id: string } }).payment.id }] })
    child.kill('SIGTERM')
    expect((await child).stderr).toMatch(/torn|dropped|incomplete/i)
  })
})

describe('hostile bodies and bytes', () => {
  it('get the error object, and a good request still works', async () => {
    const { ready } = await folder.serve('--quiet', '--clock', 'frozen')
    const bodies: [Body, number][] = [
      ['['.repeat(500_000), 400],
      [`{"amount":100,"metadata":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`, 400],
      ['{"amount":100,"description":"\\ud800"}', 201],
      ['{"amount":1,"amount":200}', 201],
      [new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), 400],
      ['x'.repeat(3_000_000), 413],
      ['{"amount":9007199254740993}', 400],
    ]
    for (const [body, status] of bodies) {
      const reply = await create(ready, body)
      expect(reply.status).toBe(status)
      if (status !== 201) expect(await reply.json()).toMatchObject({ error: { code: expect.any(String) } })
    }
    const raw = (bytes: string) =>
      new Promise<string>((resolve) => {
        const { port, hostname } = new URL(ready.url)
        let got = ''
        const socket = connect(Number(port), hostname, () => socket.end(bytes))
        socket.on('data', (chunk) => {
          got += chunk
        })
        socket.on('close', () => resolve(got))
        socket.on('error', () => resolve(got))
      })
    const auth = `Authorization: Bearer ${ready.api_key}`
    for (const bytes of [
      'GET / HTTP/9.9\r\n\r\n',
      `POST /v1/public/payments HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `GET /v1/public/banks/sbp HTTP/1.1\r\n${auth}\r\n\r\n`,
    ]) {
      expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 4\d\d /)
    }
    expect((await create(ready, '{"amount":100}')).status).toBe(201)
  })
})

describe('output that cannot be written', () => {
  it('is told in two lines where the disk is full', async () => {
    const bin = new URL('../../bin/psp.js', import.meta.url).pathname
    const ended = await execa('sh', ['-c', `exec node "$0" banks > /dev/full`, bin], {
      cwd: folder.cwd,
      reject: false,
      env: { NO_COLOR: '1' },
    })
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).toContain('no space left')
    expect(ended.stderr).not.toMatch(/\n {4}at /)
  })

  const withFullLog = async (args: string[], ready: RegExp, use: () => Promise<void>) => {
    const line = `exec node "$0" "$@" > /dev/full`
    const child = execa('sh', ['-c', line, BIN, ...args], { cwd: folder.cwd, reject: false, env: { NO_COLOR: '1' } })
    try {
      let heard = ''
      await new Promise<void>((done) => {
        child.stderr.on('data', (text: Buffer) => {
          heard += text
          if (ready.test(heard)) done()
        })
      })
      await use()
      child.kill('SIGTERM')
      return await child
    } finally {
      child.kill('SIGKILL')
    }
  }
  const LOST = 'stdout cannot be written: the disk is full. The command continues without this output.'

  it.runIf(process.platform === 'linux')('does not end a server, which tells it once', async () => {
    const file = join(folder.cwd, 'ready.json')
    const statuses: number[] = []
    const args = ['serve', '--ephemeral', '--port', '0', '--ready-file', file]
    const ended = await withFullLog(args, /Ctrl-C stops/, async () => {
      const ready: Ready = JSON.parse(readFileSync(file, 'utf8'))
      for (let i = 0; i < 3; i++) statuses.push((await create(ready, '{"amount":100}')).status)
    })
    expect(statuses).toEqual([201, 201, 201])
    expect(ended.exitCode).toBe(0)
    expect(ended.stderr.split(LOST)).toHaveLength(2)
  })

  it.runIf(process.platform === 'linux')('does not end a listener', async () => {
    const receiver = await startVerifyingReceiver()
    const { ready } = await folder.serve('--quiet')
    const args = ['listen', '--forward', String(receiver.port), '--url', ready.url]
    const ended = await withFullLog(args, /Ready/, async () => {
      for (let i = 1; i <= 3; i++) {
        await folder.psp('trigger', 'payment.failed', '--url', ready.url)
        await receiver.count(i)
      }
    })
    receiver.close()
    expect([ended.exitCode, ended.stderr.split(LOST).length]).toEqual([0, 2])
  })

  it('does not end a server whose log nobody reads any more', async () => {
    const { ready, child } = await folder.serve()
    child.stdout.destroy()
    for (let i = 0; i < 3; i++) expect((await create(ready, '{"amount":100}')).status).toBe(201)
    child.kill('SIGTERM')
    expect((await child).exitCode).toBe(0)
  })
})
