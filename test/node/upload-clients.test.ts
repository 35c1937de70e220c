// Clients in other languages write a whole request before they read. Each must get the response, even if the server does not
// read the body.
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningServer } from '../../src/node/server.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { serve } from '../http/fixtures.ts'

const CLIENTS = [
  { name: 'Python urllib', file: 'upload.py', run: ['python3'], probe: ['python3', '-c', 'import urllib.request'] },
  { name: 'Go net/http', file: 'upload.go', run: ['go', 'run'], probe: ['go', 'version'] },
  { name: 'Java HttpURLConnection', file: 'Upload.java', run: ['java'], probe: ['java', '--version'] },
  { name: 'Perl HTTP::Tiny', file: 'upload.pl', run: ['perl'], probe: ['perl', '-MHTTP::Tiny', '-e', '1'] },
  { name: 'PHP streams', file: 'upload.php', run: ['php'], probe: ['php', '--version'] },
  { name: 'curl', file: 'upload.sh', run: ['sh'], probe: ['curl', '--version'] },
] as const

const installed = await Promise.all(
  CLIENTS.map(async ({ probe: [command, ...args] }) => !(await execa(command, args, { reject: false })).failed),
)

let sandbox: Sandbox
let server: RunningServer
beforeAll(async () => {
  // The rate limit's bucket is never refilled.
  const systemClock = { ...createSystemClock(), monotonic: () => 0 }
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' }, systemClock })
  server = await serve(sandbox)
})
afterAll(async () => {
  await server.close({ grace_ms: 0 })
  await sandbox.close({ grace_ms: 0 })
})

/** A key without requests left in this second. */
async function spentKey(): Promise<string> {
  const { api_key } = sandbox.engine.execute('create_shop', { rate_limit: 1, endpoints: [] })
  const headers = { authorization: `Bearer ${api_key}` }
  expect((await fetch(`${server.url}/v1/public/banks/sbp`, { headers })).status).toBe(200)
  return api_key
}

const SIZE = 8 * 1024 * 1024
const TIMES = 2

describe.each(CLIENTS.map((client, at) => ({ ...client, installed: installed[at] })))('$name', (client) => {
  const [command, ...args] = client.run
  const path = new URL(`upload-clients/${client.file}`, import.meta.url).pathname

  test.skipIf(client.installed !== true)(
    `gets the response to each large body that is not read (skipped if ${command} is not installed)`,
    async () => {
      const { api_key } = sandbox.defaultShop()
      const cases = [
        ['POST', '/v1/public/payments', api_key, 'application/json', 413],
        ['POST', '/v1/public/payments', '', 'application/json', 401],
        ['POST', '/v1/public/payments', await spentKey(), 'application/json', 429],
        ['POST', '/v1/public/nothing', api_key, 'application/json', 404],
        ['PUT', '/v1/public/payments', api_key, 'application/json', 405],
        ['POST', '/_psp/reset', '', 'text/plain', 415],
        ['POST', '/pay/nothing/panel', '', 'application/x-www-form-urlencoded', 404],
      ] as const
      const runs = Array.from({ length: TIMES }, () => cases).flat()
      const input = runs.map(([method, to, key, type]) => [method, `${server.url}${to}`, key, type, SIZE].join('|'))
      const ran = await execa(command, [...args, path], { input: `${input.join('\n')}\n`, reject: false })
      expect(ran.stderr).toBe('')
      const name = (at: number) => `${runs[at]?.[0]} ${runs[at]?.[1]}`
      expect(ran.stdout.split('\n').map((line, at) => `${name(at)}: ${line}`)).toEqual(
        runs.map(([, , , , status], at) => `${name(at)}: ${status}`),
      )
    },
  )
})
