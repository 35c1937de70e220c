import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { resolveId } from '../../../src/cli/target/resolve-objects.ts'
import { SHORTEST_IDS } from '../../../src/domain/id-examples.ts'
import { startPsp, startTestServer } from '../helpers.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'psp-ids-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const psp = async (...argv: string[]) => {
  const ended = await startPsp([...argv, '--json'], { cwd }).ended
  return { code: ended.code, output: JSON.parse(ended.stdout || ended.stderr) }
}

it('a payment is found by the beginning of its id, as narrow tables show it', async () => {
  const payment = (await psp('payments', 'create', '--amount', '100', '--outcome', 'requires_action')).output
  const { id } = payment.payment ?? payment
  for (const prefix of [id, id.slice(0, 8), `${id.slice(0, 8)}-…`, id.slice(0, 20).toUpperCase()]) {
    expect((await psp('payments', 'get', prefix)).output.id).toBe(id)
  }
  expect((await psp('payments', 'pay', id.slice(0, 8))).output.id).toBe(id)
  const { code, output } = await psp('payments', 'get', id[0] === 'f' ? 'e0000000' : 'f0000000')
  expect([code, output.error.code]).toEqual([4, 'not_found'])
})

it('a beginning that fits several ids is refused with a list of them', async () => {
  const items = ['ab120000-1', 'ab120000-2'].map((id) => ({ id }))
  const found = resolveId(async () => ({ items }), 'ab12')
  await expect(found).rejects.toThrow('Several ids begin with ab12.')
  await expect(found).rejects.toMatchObject({ exit: 'usage', hint: expect.stringContaining('ab120000-1, ab120000-2') })
})

it.each([
  ['payment', '3bac26d9-12f0-4d9e-a484-2916c9765aff', 'payments get --help'],
  ['payout', '3bac26d9-12f0-4d9e-a484-2916c9765aff', 'payouts get --help'],
  ['event', 'evt_0ahimrse7ss0wom3ai5aod8g', 'events get --help'],
  ['delivery', 'dlv_0ahimrse7ss0wom3ai5a', 'webhooks deliveries get --help'],
] as const)('the help says how short the id of a %s may be', async (kind, id, help) => {
  const find = (length: number) => resolveId(async () => ({ items: [{ id }] }), id.slice(0, length))
  const shortest = SHORTEST_IDS[kind]
  expect([await find(shortest), await find(shortest - 1)]).toEqual([id, id.slice(0, shortest - 1)])
  const { stdout } = await startPsp(help.split(' '), { cwd }).ended
  expect(stdout.replace(/\s+/g, ' ')).toContain(`or at least its first ${shortest} characters`)
})

it('a text that is not the beginning of an id is sent as it is', async () => {
  const list = () => Promise.reject(new Error('the list must not be read'))
  for (const text of ['a', 'abc', 'order-7', '3bac26d9-12f0-4d9e-a484-2916c9765aff']) {
    expect(await resolveId(list, text)).toBe(text)
  }
})

it('an event and a delivery are found by the beginning of their id', async () => {
  const testServer = await startTestServer()
  await testServer.psp('webhooks endpoints create http://127.0.0.1:9/hooks')
  await testServer.psp('trigger payment.succeeded')
  const ask = async (line: string) => JSON.parse((await testServer.psp(`${line} --json`)).stdout)
  const [delivery] = (await ask('webhooks deliveries list')).items
  expect((await ask(`webhooks deliveries get ${delivery.id.slice(0, 9)}`)).id).toBe(delivery.id)
  expect((await ask(`events get ${delivery.event_id.slice(0, 10)}`)).id).toBe(delivery.event_id)
  const replayed = await testServer.psp(`events replay ${delivery.event_id.slice(0, 10)}`)
  expect(replayed.stdout).toContain(delivery.event_id)
  expect((await testServer.psp(`webhooks deliveries retry ${delivery.id.slice(0, 9)}`)).stdout).toContain(
    delivery.event_id,
  )
  expect((await testServer.psp('events get evt_0000')).code).toBe(4)
  await testServer.close()
})

it('the filters of lists take the ids as narrow tables show them', async () => {
  const testServer = await startTestServer()
  await testServer.psp('webhooks endpoints create http://127.0.0.1:9/hooks')
  await testServer.psp('trigger payment.succeeded')
  const items = async (line: string) => JSON.parse((await testServer.psp(`${line} --json`)).stdout).items
  const [delivery] = await items('webhooks deliveries list')
  const [object, event] = [delivery.object_id.slice(0, 8), delivery.event_id.slice(0, 10)]
  const events = await items(`events list --object ${object}`)
  expect(events.map(({ object_id }: { object_id: string }) => object_id)).toContain(delivery.object_id)
  for (const filter of [`--object ${object}`, `--event ${event}`])
    expect((await items(`webhooks deliveries list ${filter}`))[0].id).toBe(delivery.id)
  const plan = await testServer.psp(
    `webhooks deliveries retry --event ${event} --status ${delivery.status} --dry-run --json`,
  )
  expect(plan.stdout).toContain(delivery.id)
  await testServer.close()
})
