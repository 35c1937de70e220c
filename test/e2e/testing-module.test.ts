// The built package in test suites: no sandbox keeps a process alive.
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a module that imports the package by its name. */
const run = (program: string, ...flags: string[]) =>
  execa('node', [...flags, '--input-type=module', '-e', program], { cwd: ROOT, reject: false, timeout: 150_000 })

it('a program that closed its sandboxes leaves no handle and ends', async () => {
  const { stdout, stderr, exitCode } = await run(`
    import { startSandbox } from 'psp-sandbox/testing'
    const psp = await startSandbox()
    const joined = await startSandbox({ url: psp.url })
    const { payment } = await joined.payments.create({ amount: 100, method: 'sbp' })
    await joined.payments.pay(payment.id)
    const { data } = await joined.waitFor('payment.succeeded')
    await psp.payments.create({ amount: 100, method: 'sbp' })
    await joined.close()
    await psp.close()
    await psp.close()
    const handles = () => process.getActiveResourcesInfo().filter((name) => !/^(PipeWrap|TTYWrap|Immediate)$/.test(name))
    // A socket whose other end was closed is released some turns later.
    for (let turn = 0; turn < 10_000 && handles().length > 0; turn++) await new Promise(setImmediate)
    const left = handles()
    console.log(JSON.stringify({ status: data.status, verified: joined.receiver.webhooks[0].verified.valid, left }))
  `)
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  expect(JSON.parse(stdout)).toEqual({ status: 'succeeded', verified: true, left: [] })
})

it('a test that failed before it closed its sandbox ends, and a test that waits continues', async () => {
  // Each program waits more than five seconds, so they run at once.
  const runs = await Promise.all(PROGRAMS.map(([, program]) => run(`${IMPORTS}${program}`, '--test-reporter=tap')))
  const results = runs.map(({ stdout, exitCode }) => [exitCode, stdout.match(/^ *((?:not )?ok) \d+ - /m)?.[1]])
  expect(results).toEqual(PROGRAMS.map(([result]) => (result === 'fails' ? [1, 'not ok'] : [0, 'ok'])))
}, 150_000)

const IMPORTS = `
  import assert from 'node:assert'
  import { test } from 'node:test'
  import { startSandbox } from 'psp-sandbox/testing'
  const sbp = { amount: 100, method: 'sbp' }
  const slow = { settings: { 'delays.bank': '5500ms' }, timeout: 60_000 }
`

/** The delays exceed five seconds, so only the awaited call keeps each process alive. */
const PROGRAMS: readonly (readonly [result: 'fails' | 'passes', program: string])[] = [
  [
    'fails',
    `test('fails, and never closes', async () => {
      const psp = await startSandbox({ settings: { 'delays.bank': '1h' } })
      await psp.payments.create(sbp)
      assert.equal((await fetch(psp.url + '/_psp/health')).status, 200)
      assert.equal(1, 2)
    })`,
  ],
  [
    'passes',
    `test('waits for an event', async () => {
      const psp = await startSandbox({ ...slow, listen: false })
      await psp.payments.create(sbp)
      await psp.waitFor('payment.succeeded')
    })`,
  ],
  [
    'passes',
    `test('waits for its own promise', async () => {
      const psp = await startSandbox({ listen: false })
      const received = new Promise((resolve) => psp.receiver.respond(({ event }) => (resolve(event), 200)))
      await psp.payments.create(sbp)
      assert.equal(await received, 'payment.succeeded')
    })`,
  ],
  [
    'passes',
    `test('waits for a delayed response', async () => {
      const psp = await startSandbox({ listen: false, faults: [{ target: 'api', fault: 'latency:5500ms' }] })
      await psp.payments.create(sbp)
    })`,
  ],
  [
    'passes',
    `test('reads a stream', async () => {
      const psp = await startSandbox({ ...slow, listen: false })
      const { body } = await psp.fetch('/v1/public/events', { headers: { Authorization: 'Bearer ' + psp.apiKey } })
      await psp.payments.create(sbp)
      for await (const piece of body) if (Buffer.from(piece).includes('succeeded')) break
    })`,
  ],
]
