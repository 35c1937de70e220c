import { expect, test } from 'vitest'
import { nodeHost } from '../../src/cli/host-process.ts'
import { watchSignals } from '../../src/cli/process/signals.ts'
import { openSession } from '../../src/cli/session.ts'

test('work that keeps a session open may fail before the session closes', async () => {
  const host = nodeHost(process.ppid)
  const signals = watchSignals({ on() {}, off() {} }, host.systemClock, () => {})
  const sources = { flags: new Map(), set: [], env: {}, file: { values: new Map(), settings: {} } }
  const open = () => Promise.reject(new Error('the test opens no sandbox'))
  const session = await openSession(sources, host, signals, undefined, 'read', open)
  const unhandled: unknown[] = []
  const onUnhandled = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', onUnhandled)
  session.keepOpenFor(Promise.reject(new Error('the server is gone')))
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', onUnhandled)
  await session.close()
  expect(unhandled).toEqual([])
})
