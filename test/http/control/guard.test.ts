import { type IncomingMessage, request } from 'node:http'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { AdapterBindings } from '../../../src/http/app-env.ts'
import { assembleSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox.ts'
import { serve } from '../fixtures.ts'

let sandbox: Sandbox
afterEach(() => sandbox.close())

async function ask(options: SandboxOptions, headers: Record<string, string>, method = 'POST', path = '/_psp/reset') {
  sandbox = await assembleSandbox(options)
  const response = await sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, { method, headers }))
  return response.status
}

const outside = (token?: string): SandboxOptions => ({
  control: { host: '0.0.0.0', loopback: false, ...(token === undefined ? {} : { token }) },
})

/** Returns the bindings that the Node server passes to the sandbox. */
function socket(headers: Record<string, string> = {}): AdapterBindings {
  return { incoming: { headers: { host: '127.0.0.1:7770', ...headers } } as unknown as IncomingMessage }
}

describe('access to the control API', () => {
  it.each([
    [{}, 200],
    [{ host: 'localhost:7770' }, 200],
    [{ host: '[::1]:7770' }, 200],
    [{ host: 'evil.example' }, 403],
    [{ host: 'localhost.evil.example' }, 403],
    [{ host: 'evil-localhost' }, 403],
    [{ host: '127.0.0.1.evil.example' }, 403],
    [{ host: '127.0.0.1.evil.example:7770' }, 403],
    [{ host: 'evil.example:127' }, 403],
    [{ host: '127.255.255.254:7770' }, 200],
    [{ host: '128.0.0.1' }, 403],
    [{ host: 'localhost.' }, 200],
    [{ host: 'LOCALHOST:7770' }, 200],
    [{ origin: 'http://127.0.0.1:7770' }, 200],
    [{ origin: 'http://127.0.0.1:3000' }, 403],
    [{ origin: 'http://127.0.0.1:7770.evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'content-type': 'text/plain' }, 415],
  ])('on loopback, a request with %j gets %i', async (headers, status) => {
    expect(await ask({}, headers as Record<string, string>)).toBe(status)
  })

  it('is off on another host without a token, regardless of method and path', async () => {
    sandbox = await assembleSandbox(outside())
    for (const [method, path] of [
      ['GET', '/_psp/settings'],
      ['DELETE', '/_psp/health'],
      ['GET', '/_psp/nothing'],
    ] as const) {
      const response = await sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, { method }), socket())
      expect(response.status).toBe(404)
    }
  })

  it('is open to a caller in the same process, which has no socket', async () => {
    expect(await ask(outside(), {}, 'GET', '/_psp/health')).toBe(200)
    expect(await ask(outside(), { host: 'evil.example' }, 'GET', '/_psp/health')).toBe(403)
  })

  it.each([
    ['Bearer right', 200],
    ['Bearer wrong', 401],
    ['Bearer rightx', 401],
    ['', 401],
  ])('on a server with a token, the authorization %j gets %i', async (authorization, status) => {
    expect(await ask(outside('right'), { authorization, host: 'psp.internal' })).toBe(status)
  })
})

describe('over a socket', () => {
  it('checks the headers that the client sent', async () => {
    sandbox = await assembleSandbox()
    const server = await serve(sandbox)
    onTestFinished(() => server.close({ grace_ms: 0 }))
    const ask = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
      new Promise<{ status: number | undefined; headers: IncomingMessage['headers']; text: string }>((done, fail) => {
        const sent = request(`${server.url}${path}`, { method, headers, agent: false }, (response) => {
          let text = ''
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => done({ status: response.statusCode, headers: response.headers, text }))
        })
        sent.on('error', fail)
        sent.end(body)
      })
    const json = { 'content-type': 'application/json' }
    expect((await ask('GET', '/_psp/health')).status).toBe(200)
    expect((await ask('GET', '/_psp/health', { host: 'evil.example' })).status).toBe(403)
    expect((await ask('GET', '/_psp/health', { host: `evil.example:${server.port}` })).status).toBe(403)
    expect((await ask('GET', '/_psp/health', { host: 'localhost@evil.example' })).status).toBe(400)
    expect((await ask('GET', '/_psp/nothing', { host: 'evil.example' })).status).toBe(403)
    expect((await ask('GET', '/_psp/health', { origin: server.url })).status).toBe(200)
    expect((await ask('GET', '/_psp/health', { origin: 'http://localhost:1' })).status).toBe(403)
    expect((await ask('POST', '/_psp/reset')).status).toBe(200)
    expect((await ask('POST', '/_psp/reset', json, '{}')).status).toBe(200)
    expect((await ask('POST', '/_psp/reset', { 'content-type': 'text/plain' }, '{}')).status).toBe(415)
    expect((await ask('POST', '/_psp/reset', {}, '{}')).status).toBe(415)
    expect((await ask('PATCH', '/_psp/settings', json)).status).toBe(400)
    const wrong = await ask('DELETE', '/_psp/settings')
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD, PATCH'])
    expect(JSON.parse(wrong.text)).toMatchObject({ error: { code: 'method_not_allowed' } })
    expect((await ask('OPTIONS', '/_psp/settings')).status).toBe(405)
    expect((await ask('GET', '/_psp/settings/')).status).toBe(404)
    expect(await ask('HEAD', '/_psp/health')).toMatchObject({ status: 200, text: '' })
    const { status, text } = await ask('GET', '/_psp/export')
    expect([status, JSON.parse(text).format]).toEqual([200, 'psp-sandbox/1'])
  })

  it('requires the token on a shared host', async () => {
    sandbox = await assembleSandbox(outside('right'))
    const server = await serve(sandbox)
    onTestFinished(() => server.close({ grace_ms: 0 }))
    const ask = async (headers: Record<string, string>, path = '/_psp/health') =>
      await fetch(`${server.url}${path}`, { headers })
    expect((await ask({ authorization: 'Bearer right' })).status).toBe(200)
    const refused = await ask({ authorization: `Bearer ${sandbox.defaultShop().api_key}` })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await ask({}, '/_psp/nothing')).status).toBe(401)
    expect((await ask({ authorization: 'Bearer right', origin: 'null' })).status).toBe(403)
  })
})
