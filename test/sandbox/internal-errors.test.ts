// Internal errors are reported, and lose no delivery and no data directory.
import { expect, test } from 'vitest'
import { assembleSandbox } from '../../src/sandbox.ts'
import { readLock } from '../../src/store/folder/lock.ts'
import { createPayment, get, post } from '../contract/caller.ts'
import { temporaryFolder } from '../store/fixtures.ts'
import { openOnMemoryDisk } from './fixtures.ts'

const FAILS = { headers: { 'X-PSP-Simulate': 'refused:do_not_honor' } }
const bare = { key: null }

test.each([
  ['rejects', () => Promise.reject(new Error('Cannot find module undici-client.js'))],
  [
    'throws',
    () => {
      throw new Error('Cannot find module undici-client.js')
    },
  ],
])('a transport that %s makes a failed attempt with its cause, and the retries continue', async (_, breaks) => {
  let send: () => Promise<{ status: number }> = breaks
  const { adapter, sandbox } = await openOnMemoryDisk(false, { transport: () => send() })
  const { body } = await createPayment(adapter, { method: 'sbp' }, FAILS)
  await sandbox.idle()
  const deliveries = async () => (await get(adapter, `/_psp/deliveries?object_id=${body.payment.id}`, bare)).body.items
  const [first] = await deliveries()
  expect(first.attempts).toMatchObject([
    { error: 'The request to 127.0.0.1:9 failed: Cannot find module undici-client.js' },
  ])
  expect(first.next_attempt_at).not.toBeNull()
  send = async () => ({ status: 200 })
  await post(adapter, '/_psp/clock/advance', { by: '1m' }, bare)
  expect((await deliveries())[0].status).toBe('delivered')
})

test('a failed step is reported with a notice, and a failed write only with the notice of the store', async () => {
  const { adapter, sandbox, notices, failWrites } = await openOnMemoryDisk(false)
  await createPayment(adapter, { method: 'sbp' })
  const { execute } = sandbox.engine
  Object.assign(sandbox.engine, {
    execute(name: string, input: never) {
      if (name === 'run_timer') throw new Error('a fault of the test')
      return execute(name as never, input)
    },
  })
  await post(adapter, '/_psp/clock/advance', { by: '10s' }, bare)
  expect(notices).toEqual(['Background work failed, and psp continues: a fault of the test'])
  Object.assign(sandbox.engine, { execute })
  await createPayment(adapter, { method: 'sbp' })
  failWrites()
  await post(adapter, '/_psp/clock/advance', { by: '10s' }, bare)
  expect(notices.slice(1)).toEqual([expect.stringMatching(/the disk is full/)])
})

test('close releases the data directory even if the dispatcher fails to close', async () => {
  const folder = temporaryFolder()
  const sandbox = await assembleSandbox({ folder })
  sandbox.dispatcher.close = () => Promise.reject(new Error('the dispatcher cannot close'))
  await expect(sandbox.close()).rejects.toThrow('cannot close')
  expect(readLock(folder)).toBeUndefined()
})
