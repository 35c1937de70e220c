// The built package as a test suite imports it.
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a module that imports the package by its name. */
const run = (program: string) =>
  execa('node', ['--input-type=module', '-e', program], { cwd: ROOT, reject: false, timeout: 150_000 })

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
