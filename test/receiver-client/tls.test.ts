// Receivers behind TLS: a kept connection that ends, and a server that offers HTTP/2 only.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTransport } from '../../src/receiver-client/undici-transport.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

const REQUEST =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem'

/** A key and its certificate; `undefined` if there is no openssl. */
async function certificate() {
  const folder = mkdtempSync(join(tmpdir(), 'psp-certificate-'))
  const { failed } = await execa('openssl', REQUEST.split(' '), { cwd: folder, reject: false })
  const read = (name: string) => readFileSync(join(folder, name))
  const made = failed ? undefined : { key: read('key.pem'), cert: read('cert.pem') }
  rmSync(folder, { recursive: true })
  return made
}

const made = await certificate()

function sender(port: number) {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  const transport = createTransport(createSystemClock())
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await transport.close()
  })
  return () =>
    transport.send({
      url: `https://127.0.0.1:${port}/`,
      headers: [['Content-Type', 'application/json']],
      body: Buffer.from('{}'),
      deadline_ms: 20_000,
    })
}

describe.skipIf(made === undefined)('a receiver behind TLS (skipped: openssl is not installed)', () => {
  test('a request is sent again if a reused connection ends without a response byte', async () => {
    const served = new Map<unknown, number>()
    const server = createServer({ ...made }, (request, response) => {
      const before = served.get(request.socket) ?? 0
      served.set(request.socket, before + 1)
      request.resume().on('end', () => (before === 0 ? response.end('ok') : request.socket.end()))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const send = sender((server.address() as AddressInfo).port)
    expect(await send()).toMatchObject({ status: 200 })
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => void setImmediate(resolve))
    expect(await send()).toMatchObject({ status: 200, body: { text: 'ok' } })
    expect([...served.values()]).toEqual([2, 1])
  })

  test('a server that offers HTTP/2 only is named as one', async () => {
    const server = createSecureServer({ ...made }, (_, response) => response.end('ok'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect(await sender(port)()).toEqual({
      error: `127.0.0.1:${port} supports only HTTP/2, and psp sends HTTP/1.1. Accept HTTP/1.1 on this port.`,
    })
  })
})
