import { afterEach, expect, it } from 'vitest'
import { type StartOptions, startSandbox } from '../../src/testing/index.ts'
import { closeAll, PLACES, start } from './places.ts'

afterEach(closeAll)

it.each([
  [null, 'startSandbox takes an object'],
  [{ prot: 1 }, 'prot: startSandbox has no such option. It has '],
  [{ url: 'http://127.0.0.1:1', port: 1 }, 'port: startSandbox with url has no such option'],
  [{ port: 'abc' }, 'port: expected an integer from 0 to 65535, got "abc"'],
  [{ timeout: Number.NaN }, 'timeout: expected an integer'],
  [{ seed: 'x' }, 'seed: expected an object, got "x"'],
  [{ rules: {} }, 'rules: expected a list.'],
  [{ host: '' }, 'host: expected an address such as 127.0.0.1, got "".'],
  [{ host: 5 }, 'host: expected an address such as 127.0.0.1, got 5.'],
  [{ controlToken: '' }, 'controlToken: expected visible ASCII'],
  [{ controlToken: 'a b' }, 'controlToken: expected visible ASCII'],
  [{ controlToken: 'tök' }, 'controlToken: expected visible ASCII'],
  [{ controlToken: 'x\ny' }, 'controlToken: expected visible ASCII'],
  [{ endpoints: ['ftp://q'] }, 'endpoints: "ftp://q": the scheme must be http or https, not ftp.'],
])('the options %j are rejected with a message', async (options, words) => {
  await expect(startSandbox(options as unknown as StartOptions)).rejects.toThrow(words)
})

it('an IPv6 address may be written in brackets', async () => {
  const psp = await startSandbox({ host: '[::1]' })
  expect(psp.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
  await psp.clock.advance('1s')
  await psp.close()
})

it('an invalid response, wait or clock is rejected with a message', async () => {
  const psp = await start()
  expect(() => psp.receiver.respond(99)).toThrow('status: expected an integer from 200 to 599, got 99.')
  expect(() => psp.receiver.respond('x' as unknown as number)).toThrow('status: expected an integer')
  const odd = { timeout: 'x' as unknown as number }
  await expect(psp.waitFor('payment.succeeded', {}, odd)).rejects.toThrow('timeout: expected an integer')
  expect(() => psp.clock.freeze(new Date(Number.NaN))).toThrow('freeze: expected an RFC 3339 time')
})

it.each([true, false])('closing the sandbox rejects an advance that is running, listening: %s', async (listen) => {
  const psp = await startSandbox({ clock: 'frozen', listen })
  await psp.payments.create({ amount: 1 })
  const rejected = expect(psp.clock.advance('1d')).rejects.toThrow('The sandbox was closed.')
  await psp.close()
  await rejected
})

it.each(PLACES)('every call after close reports that the sandbox was closed: %s', async (_, place) => {
  const psp = await place()
  await psp.close()
  const asked = [
    () => psp.payments.create({ amount: 100 }),
    () => psp.payments.list(),
    () => psp.events.list(),
    () => psp.clock.advance('1s'),
    () => psp.reset(),
  ]
  for (const ask of asked) await expect(ask()).rejects.toThrow('The sandbox was closed.')
})

it('startSandbox connects to a server on a port that browsers block', async () => {
  const ports = [6000, 6665, 6668, 10080]
  const opened = await Promise.any(ports.map((port) => start({ port })))
  const joined = await start({ url: opened.url })
  const { payment } = await joined.payments.create({ amount: 100 })
  expect(payment.status).toBe('pending')
})
