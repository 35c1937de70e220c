import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { assembleSandbox } from '../../../src/sandbox.ts'
import { START } from '../../engine/bench-world.ts'
import { temporaryFolder } from '../../store/fixtures.ts'
import { storedTables } from '../../stored-tables.ts'
import { manualSystemClock } from '../../time/manual-system-clock.ts'
import { openSandbox } from '../fixtures.ts'

const frozenAtStart = { clock: { mode: 'frozen', now: START } } as const

it('a restore brings back the exact state and time, and waiting steps continue', async () => {
  const { sandbox, get, post, put, remove, pay, idle } = await openSandbox(frozenAtStart)
  const id = await pay()
  expect((await put('/snapshots/one')).body).toMatchObject({ name: 'one', taken_at: expect.any(String) })
  const tables = () => {
    const { state, ...rest } = storedTables(sandbox.engine.world)
    return JSON.stringify(rest)
  }
  const then = tables()
  await post('/clock/advance', { by: '2d' })
  await post('/reset', { all: true })
  for (let i = 0; i < 2; i++) {
    expect((await post('/snapshots/one/restore')).status).toBe(200)
    expect(tables()).toBe(then)
    expect((await get('/clock')).body).toMatchObject({ mode: 'frozen', now: new Date(START).toISOString() })
    expect((await idle()).body.steps).toBe(3)
    expect((await get('/payments')).body.items).toMatchObject([{ id, status: 'succeeded' }])
  }
  expect((await remove('/snapshots/one')).status).toBe(204)
  expect((await remove('/snapshots/one')).status).toBe(404)
  expect((await post('/snapshots/one/restore')).status).toBe(404)
  expect((await get('/snapshots/one')).status).toBe(404)
})

it('a running clock continues from the time of the snapshot or export', async () => {
  const systemClock = manualSystemClock(START)
  const { get, post, put } = await openSandbox({ clock: { mode: 'real' }, systemClock })
  const now = async () => Date.parse((await get('/clock')).body.now) - START
  await systemClock.advance(1000)
  await put('/snapshots/one')
  const { body: state } = await get('/export')
  await systemClock.advance(60_000)
  expect(await now()).toBe(61_000)
  await post('/snapshots/one/restore')
  expect(await now()).toBe(1000)
  await systemClock.advance(500)
  expect(await now()).toBe(1500)
  expect((await put('/import', state)).status).toBe(200)
  expect(await now()).toBe(1000)
})

it('a snapshot replaces one with the same name, and has the format of an export', async () => {
  const { get, put, pay } = await openSandbox()
  await put('/snapshots/a.b_c-1')
  const id = await pay()
  expect((await put('/snapshots/a.b_c-1')).status).toBe(200)
  const { body: state } = await get('/snapshots/a.b_c-1')
  expect(state.tables.payments).toMatchObject([{ id }])
  expect((await put('/import', state)).status).toBe(200)
})

it.each(['..%2Fx', 'A', '.hidden', '-x', 'x'.repeat(65), '%20'])(
  'the name %s of a snapshot is refused',
  async (name) => {
    const { put, get, remove, post } = await openSandbox()
    expect((await put(`/snapshots/${name}`)).status).toBe(400)
    expect((await get(`/snapshots/${name}`)).status).toBe(400)
    expect((await remove(`/snapshots/${name}`)).status).toBe(400)
    expect((await post(`/snapshots/${name}/restore`)).status).toBe(400)
  },
)

it('a snapshot in a data directory survives a restart', async () => {
  const folder = temporaryFolder()
  const first = await assembleSandbox({ folder, clock: { mode: 'frozen', now: START } })
  await first.fetch(new Request('http://localhost/_psp/snapshots/one', { method: 'PUT' }))
  await first.close()
  const { get, post } = await openSandbox({ folder, clock: { mode: 'real' } })
  expect((await post('/snapshots/one/restore')).status).toBe(200)
  expect((await get('/clock')).body).toMatchObject({ mode: 'frozen', now: new Date(START).toISOString() })
})

it('a directory and a damaged file in the directory of snapshots are not snapshots', async () => {
  const folder = temporaryFolder()
  const sandbox = await assembleSandbox({ folder })
  onTestFinished(() => sandbox.close({ grace_ms: 0 }))
  const ask = async (method: string, path: string) => {
    const response = await sandbox.fetch(new Request(`http://127.0.0.1/_psp/snapshots${path}`, { method }))
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  expect((await ask('PUT', '/good')).status).toBe(200)
  const file = (name: string) => join(folder, 'snapshots', `${name}.json`)
  const good = readFileSync(file('good'), 'utf8')
  mkdirSync(file('dir'))
  writeFileSync(file('empty'), '')
  writeFileSync(file('cut'), good.slice(0, good.lastIndexOf('"rules"')))
  writeFileSync(file('other'), '{"format":1,"tables":{}}')

  const { status, body } = await ask('GET', '')
  expect([status, body.items.map(({ name }: { name: string }) => name)]).toEqual([200, ['cut', 'good']])
  expect((await ask('GET', '/dir')).status).toBe(404)
  expect((await ask('POST', '/dir/restore')).status).toBe(404)
  expect((await ask('DELETE', '/dir')).status).toBe(404)
  const taken = await ask('PUT', '/dir')
  expect([taken.status, taken.body.error.code]).toEqual([503, 'storage_unavailable'])
  for (const name of ['empty', 'cut', 'other']) {
    for (const [method, path] of [
      ['GET', `/${name}`],
      ['POST', `/${name}/restore`],
    ] as const) {
      const refused = await ask(method, path)
      expect(refused.status).toBe(409)
      expect(refused.body.error.message).toContain(`${file(name)}:`)
    }
  }
  expect((await ask('DELETE', '/empty')).status).toBe(204)
  expect((await ask('POST', '/good/restore')).status).toBe(200)
})
