// The built package as a test suite imports it.
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a module that imports the package by its name. */
const run = (program: string, ...flags: string[]) =>
  execa('node', [...flags, '--input-type=module', '-e', program], { cwd: ROOT, reject: false, timeout: 150_000 })

it('leaves no handle: a program that closed its sandboxes ends by itself', async () => {
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
    // A socket whose other end was closed goes some turns later.
    for (let turn = 0; turn < 10_000 && handles().length > 0; turn++) await new Promise(setImmediate)
    const left = handles()
    console.log(JSON.stringify({ status: data.status, verified: joined.receiver.webhooks[0].verified.valid, left }))
  `)
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  expect(JSON.parse(stdout)).toEqual({ status: 'succeeded', verified: true, left: [] })
})

it('a test that fails before it closed its sandbox ends, and one that waits goes on', async () => {
  const { stdout, exitCode } = await run(ENDS, '--test-reporter=tap')
  const results = stdout.match(/^ *(not )?ok \d+ - .*/gm)?.map((line) => line.trim().replace(/ \d+/, ''))
  expect(results).toEqual(
    expect.arrayContaining(['not ok - fails, and never closes', ...WAITS.map((name) => `ok - ${name}`)]),
  )
  expect(exitCode).toBe(1)
}, 150_000)

const WAITS = ['waits for an event', 'waits for its own promise', 'waits for a held answer', 'reads a stream']

// Nothing but what the sandbox does itself may keep this process: no step is nearer than what is waited for.
const ENDS = `
  import assert from 'node:assert'
  import { test } from 'node:test'
  import { startSandbox } from 'psp-sandbox/testing'
  const sbp = { amount: 100, method: 'sbp' }
  const slow = { settings: { 'delays.bank': '5500ms' }, timeout: 60_000 }
  test('fails, and never closes', async () => {
    const psp = await startSandbox({ settings: { 'delays.bank': '1h' } })
    await psp.payments.create(sbp)
    assert.equal((await fetch(psp.url + '/_psp/health')).status, 200)
    assert.equal(1, 2)
  })
  test('waits for an event', async () => {
    const psp = await startSandbox({ ...slow, listen: false })
    await psp.payments.create(sbp)
    await psp.waitFor('payment.succeeded')
  })
  test('waits for its own promise', async () => {
    const psp = await startSandbox({ listen: false })
    const told = new Promise((resolve) => psp.receiver.answer(({ event }) => (resolve(event), 200)))
    await psp.payments.create(sbp)
    assert.equal(await told, 'payment.succeeded')
  })
  test('waits for a held answer', async () => {
    const psp = await startSandbox({ listen: false, faults: [{ target: 'api', fault: 'latency:5500ms' }] })
    await psp.payments.create(sbp)
  })
  test('reads a stream', async () => {
    const psp = await startSandbox({ ...slow, listen: false })
    const { body } = await psp.fetch('/v1/public/events', { headers: { Authorization: 'Bearer ' + psp.apiKey } })
    await psp.payments.create(sbp)
    for await (const piece of body) if (Buffer.from(piece).includes('succeeded')) break
  })
`
