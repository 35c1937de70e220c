// Settings a sandbox is started with hold for that run; stored is what a person, a seed, an import or a restore sets.
import { expect, it } from 'vitest'
import { readSeed } from '../../../src/sandbox.ts'
import type { SomeSettings } from '../../../src/settings.ts'
import { temporaryFolder } from '../../store/fixtures.ts'
import { openSandbox } from '../fixtures.ts'

async function look({ get }: Pick<Awaited<ReturnType<typeof openSandbox>>, 'get'>, name: string) {
  const [values, origins] = [await get('/settings'), await get('/settings/origins')]
  return [values.body[name], origins.body[name]]
}

it('are gone at the next start, and those that were stored are there', async () => {
  const folder = temporaryFolder()
  const settings = { buyer: 'manual', 'delays.bank': '9s', magic: null } as unknown as SomeSettings
  const first = await openSandbox({ folder, settings, settingOrigins: { buyer: '--buyer' } })
  expect(await look(first, 'buyer')).toEqual(['manual', '--buyer'])
  expect(await look(first, 'delays.bank')).toEqual(['9s', 'options'])
  expect(await look(first, 'magic')).toEqual([true, 'default'])
  await first.patch('/settings', { 'delays.bank': '3s' })
  expect(await look(first, 'delays.bank')).toEqual(['3s', 'settings'])
  await first.sandbox.close()

  const second = await openSandbox({ folder })
  expect(await look(second, 'buyer')).toEqual(['auto', 'default'])
  expect(await look(second, 'delays.bank')).toEqual(['3s', 'settings'])
  await second.sandbox.close()

  const third = await openSandbox({ folder, settings: { 'delays.bank': '5s' } })
  expect(await look(third, 'delays.bank')).toEqual(['5s', 'options'])
  expect((await third.patch('/settings', { 'delays.bank': null })).body['delays.bank']).toBe('1s')
  expect(await look(third, 'delays.bank')).toEqual(['1s', 'default'])
  await third.sandbox.close()
})

it('decide while they hold; what was planned under them stays as planned', async () => {
  const folder = temporaryFolder()
  const clock = { mode: 'frozen' } as const
  const first = await openSandbox({ folder, clock, settings: { 'delays.session': '0s', 'delays.bank': '15m' } })
  await first.pay()
  await first.post('/clock/advance', { by: '10s' })
  await first.sandbox.close()

  const second = await openSandbox({ folder, clock })
  const status = async () => (await second.get('/payments')).body.items[0].status
  await second.post('/clock/advance', { by: '14m' })
  expect(await status()).toBe('processing')
  await second.post('/clock/advance', { by: '1m' })
  expect(await status()).toBe('succeeded')
  await second.sandbox.close()
})

it('come back with a reset of everything and a restore, but for what these bring themselves', async () => {
  const box = await openSandbox({ settings: { buyer: 'manual' } })
  await box.patch('/settings', { 'delays.bank': '2s' })
  await box.put('/snapshots/a')
  await box.patch('/settings', { buyer: 'auto', 'delays.bank': '4s' })
  await box.put('/snapshots/b')
  await box.post('/snapshots/a/restore')
  expect([await look(box, 'buyer'), await look(box, 'delays.bank')]).toEqual([
    ['manual', 'options'],
    ['2s', 'settings'],
  ])
  await box.post('/snapshots/b/restore')
  expect(await look(box, 'buyer')).toEqual(['auto', 'settings'])
  await box.post('/reset')
  expect(await look(box, 'buyer')).toEqual(['auto', 'settings'])
  await box.post('/reset', { all: true })
  expect([await look(box, 'buyer'), await look(box, 'delays.bank')]).toEqual([
    ['manual', 'options'],
    ['1s', 'default'],
  ])
})

it('come before those of a seed, which are stored beneath them', async () => {
  const folder = temporaryFolder()
  const seed = readSeed({ settings: { buyer: 'auto', link_ttl: '2h', 'delays.bank': '7s' } })
  const first = await openSandbox({ folder, seed, settings: { 'delays.bank': '5s' } })
  expect(await look(first, 'delays.bank')).toEqual(['5s', 'options'])
  expect(await look(first, 'link_ttl')).toEqual(['2h', 'settings'])
  await first.sandbox.close()
  expect(await look(await openSandbox({ folder }), 'delays.bank')).toEqual(['7s', 'settings'])
})

it('are not in an export', async () => {
  const { get } = await openSandbox({ settings: { buyer: 'manual' } })
  expect(JSON.stringify((await get('/export')).body)).not.toContain('manual')
})

it.each([{ default_outcome: 'x' }, { nonsense: 1 }, { buyer: 'nobody' }])('are checked first: %j', async (settings) => {
  await expect(openSandbox({ settings: settings as SomeSettings })).rejects.toMatchObject({
    name: 'RefusalError',
    code: 'bad_request',
  })
})
