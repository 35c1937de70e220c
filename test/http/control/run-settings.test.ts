// Settings of a start apply to that run only. Settings of the control API, a seed, an import or a restore are stored.
import { expect, it } from 'vitest'
import { readSeed } from '../../../src/sandbox.ts'
import type { SomeSettings } from '../../../src/settings.ts'
import { temporaryFolder } from '../../store/fixtures.ts'
import { openSandbox } from '../fixtures.ts'

async function settingOf({ get }: Pick<Awaited<ReturnType<typeof openSandbox>>, 'get'>, name: string) {
  const [values, origins] = [await get('/settings'), await get('/settings/origins')]
  return [values.body[name], origins.body[name]]
}

it('start settings end with their run, and stored settings remain', async () => {
  const folder = temporaryFolder()
  const settings = { buyer: 'manual', 'delays.bank': '9s', magic: null } as unknown as SomeSettings
  const first = await openSandbox({ folder, settings, settingOrigins: { buyer: '--buyer' } })
  expect(await settingOf(first, 'buyer')).toEqual(['manual', '--buyer'])
  expect(await settingOf(first, 'delays.bank')).toEqual(['9s', 'options'])
  expect(await settingOf(first, 'magic')).toEqual([true, 'default'])
  await first.patch('/settings', { 'delays.bank': '3s' })
  expect(await settingOf(first, 'delays.bank')).toEqual(['3s', 'settings'])
  await first.sandbox.close()

  const second = await openSandbox({ folder })
  expect(await settingOf(second, 'buyer')).toEqual(['auto', 'default'])
  expect(await settingOf(second, 'delays.bank')).toEqual(['3s', 'settings'])
  await second.sandbox.close()

  const third = await openSandbox({ folder, settings: { 'delays.bank': '5s' } })
  expect(await settingOf(third, 'delays.bank')).toEqual(['5s', 'options'])
  expect((await third.patch('/settings', { 'delays.bank': null })).body['delays.bank']).toBe('1s')
  expect(await settingOf(third, 'delays.bank')).toEqual(['1s', 'default'])
  await third.sandbox.close()
})

it('start settings apply to their run, and the steps that were planned in it stay as planned', async () => {
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

it('start settings apply again after a reset of everything, and after a restore that does not contain them', async () => {
  const box = await openSandbox({ settings: { buyer: 'manual' } })
  await box.patch('/settings', { 'delays.bank': '2s' })
  await box.put('/snapshots/a')
  await box.patch('/settings', { buyer: 'auto', 'delays.bank': '4s' })
  await box.put('/snapshots/b')
  await box.post('/snapshots/a/restore')
  expect([await settingOf(box, 'buyer'), await settingOf(box, 'delays.bank')]).toEqual([
    ['manual', 'options'],
    ['2s', 'settings'],
  ])
  await box.post('/snapshots/b/restore')
  expect(await settingOf(box, 'buyer')).toEqual(['auto', 'settings'])
  await box.post('/reset')
  expect(await settingOf(box, 'buyer')).toEqual(['auto', 'settings'])
  await box.post('/reset', { all: true })
  expect([await settingOf(box, 'buyer'), await settingOf(box, 'delays.bank')]).toEqual([
    ['manual', 'options'],
    ['1s', 'default'],
  ])
})

it('start settings override those of a seed, which are stored', async () => {
  const folder = temporaryFolder()
  const seed = readSeed({ settings: { buyer: 'auto', link_ttl: '2h', 'delays.bank': '7s' } })
  const first = await openSandbox({ folder, seed, settings: { 'delays.bank': '5s' } })
  expect(await settingOf(first, 'delays.bank')).toEqual(['5s', 'options'])
  expect(await settingOf(first, 'link_ttl')).toEqual(['2h', 'settings'])
  await first.sandbox.close()
  expect(await settingOf(await openSandbox({ folder }), 'delays.bank')).toEqual(['7s', 'settings'])
})

it('start settings are not exported', async () => {
  const { get } = await openSandbox({ settings: { buyer: 'manual' } })
  expect(JSON.stringify((await get('/export')).body)).not.toContain('manual')
})

it.each([{ default_outcome: 'x' }, { nonsense: 1 }, { buyer: 'nobody' }])(
  'the start settings %j are refused',
  async (settings) => {
    await expect(openSandbox({ settings: settings as SomeSettings })).rejects.toMatchObject({
      name: 'RefusalError',
      code: 'bad_request',
    })
  },
)
