import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { DoorBindings } from '../../../src/http/app-env.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox.ts'

let sandbox: Sandbox
afterEach(() => sandbox.close())

async function ask(options: SandboxOptions, headers: Record<string, string>, method = 'POST', path = '/_psp/reset') {
  sandbox = await createSandbox(options)
  const response = await sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, { method, headers }))
  return response.status
}

const outside = (token?: string): SandboxOptions => ({
  control: { host: '0.0.0.0', loopback: false, ...(token === undefined ? {} : { token }) },
})

/** What the node server passes along. */
function socket(headers: Record<string, string> = {}): DoorBindings {
  return { incoming: { headers: { host: '127.0.0.1:7770', ...headers } } as unknown as IncomingMessage }
}

describe('who may drive the sandbox', () => {
  it.each([
    [{}, 200],
    [{ host: 'localhost:7770' }, 200],
    [{ host: '[::1]:7770' }, 200],
    [{ host: 'evil.example' }, 403],
    [{ host: 'localhost.evil.example' }, 403],
    [{ origin: 'http://127.0.0.1:7770' }, 200],
    [{ origin: 'http://127.0.0.1:3000' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'content-type': 'text/plain' }, 415],
  ])('on loopback, %j gets %i', async (headers, status) => {
    expect(await ask({}, headers as Record<string, string>)).toBe(status)
  })

  it('is off on another host without a token, whatever the method and path', async () => {
    sandbox = await createSandbox(outside())
    for (const [method, path] of [
      ['GET', '/_psp/health'],
      ['DELETE', '/_psp/health'],
      ['GET', '/_psp/nothing'],
    ] as const) {
      const response = await sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, { method }), socket())
      expect(response.status).toBe(404)
    }
  })

  it('is there for a caller in the same process, which has no socket', async () => {
    expect(await ask(outside(), {}, 'GET', '/_psp/health')).toBe(200)
    expect(await ask(outside(), { host: 'evil.example' }, 'GET', '/_psp/health')).toBe(403)
  })

  it.each([
    ['Bearer right', 200],
    ['Bearer wrong', 401],
    ['Bearer rightx', 401],
    ['', 401],
  ])('with a token, %j gets %i', async (authorization, status) => {
    expect(await ask(outside('right'), { authorization, host: 'psp.internal' })).toBe(status)
  })

  it('knows unknown routes and methods', async () => {
    expect(await ask({}, {}, 'GET', '/_psp/nothing')).toBe(404)
    await sandbox.close()
    expect(await ask({}, {}, 'GET', '/_psp/reset')).toBe(405)
  })
})
