// Calls `psp request` on a data directory without a server. Each call is a separate command.
import { cpSync } from 'node:fs'
import start from '../../fixtures/start-shop.json' with { type: 'json' }
import { createTestDir, psp, type RunResult } from '../cli/helpers.ts'
import type { AdapterShop, Arrange, OpenAdapter } from './adapter.ts'

export const openCliAdapter: OpenAdapter = async () => {
  const folder = createTestDir()
  cpSync(await frozenFolder(), folder.path, { recursive: true })
  const run = async (line: readonly string[], stdin?: Uint8Array) =>
    await psp(line, { cwd: folder.path, ...(stdin === undefined ? {} : { stdin }) })
  const json = async (...line: string[]) => JSON.parse(assertExitZero(await run([...line, '--json'])).stdout)
  return {
    fetch: (path, init) => fetchBy(run, path, init),
    shop: start,
    keepsProcessState: false,
    arrange: arrangeBy(json),
    reset: async () => void (await json('store', 'reset', '--all')),
    close: async () => folder.remove(),
  }
}

let frozen: Promise<string> | undefined

/** Returns a directory with a new sandbox whose clock is frozen. It is created once. */
async function frozenFolder(): Promise<string> {
  frozen ??= (async () => {
    const { path } = createTestDir()
    assertExitZero(await psp(['clock', 'freeze', '--json'], { cwd: path }))
    return path
  })()
  return await frozen
}

type Run = (line: readonly string[], stdin?: Uint8Array) => Promise<RunResult>

async function fetchBy(run: Run, path: string, { method = 'GET', headers, body }: RequestInit = {}): Promise<Response> {
  const given = Object.entries((headers ?? {}) as Record<string, string>)
  const bytes = body == null ? undefined : new Uint8Array(await new Response(body).arrayBuffer())
  const flags = given.flatMap(([name, value]) => ['-H', value === '' ? `${name};` : `${name}: ${value}`])
  // Removes headers that the command adds and the case does not send.
  for (const name of ['Authorization', 'Content-Type']) {
    if (!given.some(([own]) => own.toLowerCase() === name.toLowerCase())) flags.push('-H', `${name}:`)
  }
  const line = ['request', '-i', method, path, ...flags, ...(bytes === undefined ? [] : ['-d', '-'])]
  let ran = await run(line, bytes)
  // Exit code 9: other commands locked the data directory for too long. Try again, as a script would.
  for (let again = 0; ran.code === 9 && again < 20; again++) ran = await run(line, bytes)
  const [, status, type] = /^(\d{3})(?: {2}(.*))?$/m.exec(ran.stderr) ?? []
  if (status === undefined) throw new TypeError(`fetch failed: ${ran.stderr}`)
  const shown = [...ran.stderr.matchAll(/^([a-z-]+): (.*)$/gm)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ])
  return new Response(ran.stdout === '' ? null : ran.stdout, {
    status: Number(status),
    headers:
      type === undefined ? shown : [['content-type', type], ...shown.filter(([name]) => name !== 'content-type')],
  })
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Json = (...line: string[]) => Promise<any>

function arrangeBy(json: Json): Arrange {
  return {
    async settings(values) {
      await json('settings', 'set', ...Object.entries(values).map(([name, value]) => `${name}=${value}`))
    },
    async advance(ms) {
      await json('clock', 'advance', `${ms}ms`)
    },
    shop: async (input): Promise<AdapterShop> =>
      await json('request', 'POST', '/_psp/shops', '-d', JSON.stringify(input)),
    key: async (shopId, mode) => (await json('keys', 'create', '--shop', shopId, '--mode', mode)).api_key,
    async revoke(apiKey) {
      const { items } = await json('keys', 'list')
      await json('keys', 'revoke', items.find(({ hint }: { hint: string }) => apiKey.startsWith(hint)).id)
    },
    async fault(target, fault, times) {
      await json('faults', 'add', target, fault, ...(times === undefined ? [] : ['--times', String(times)]))
    },
    // The request log ends with the process of the command.
    logged: async () => undefined,
  }
}

function assertExitZero(ran: RunResult): RunResult {
  if (ran.code === 0) return ran
  throw new Error(`exit ${ran.code}: ${ran.stderr}`)
}
