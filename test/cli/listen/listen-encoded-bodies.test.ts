// What people see of a response body with a Content-Encoding, while it arrives and afterwards.
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { startListener, startReceiver, startTestServer, waitUntil } from '../helpers.ts'

async function shown(body: Buffer | string, ...flags: readonly string[]) {
  const rig = await startTestServer()
  const app = await startReceiver()
  onTestFinished(async () => {
    await app.close()
    await rig.close()
  })
  app.response = { status: 500, headers: { 'Content-Encoding': 'gzip' }, body }
  const running = await startListener(rig, '--forward', `:${app.port}/hooks`, ...flags)
  await rig.psp('trigger payment.failed')
  await waitUntil(() => running.output().includes('attempt 1 of 9, next'))
  running.signal('SIGINT')
  const { stdout } = await running.ended
  const [delivery] = [...rig.sandbox.engine.world.rows('deliveries')]
  const get = await rig.psp(`webhooks deliveries get ${delivery?.id}`)
  return { listen: stdout, get: get.stdout }
}

test.each([[[]], [['--show-body']]])('`listen %s` and `deliveries get` show a decoded body', async (flags) => {
  const { listen, get } = await shown(gzipSync('no such order: Ёж'), ...flags)
  expect(listen).toContain('no such order: Ёж')
  expect(get).toContain('no such order: Ёж')
  expect(get).toContain('content-encoding: gzip')
})

test.each([[[]], [['--show-body']]])(
  '`listen %s` and `deliveries get` show a broken encoding as received, with a note',
  async (flags) => {
    const { listen, get } = await shown('plain text', ...flags)
    for (const text of [listen, get]) {
      const flat = text.replace(/\s+/g, ' ')
      expect(flat).toContain('plain text')
      expect(flat).toContain('The body is shown as received: it is not valid gzip (incorrect header check).')
    }
  },
)
