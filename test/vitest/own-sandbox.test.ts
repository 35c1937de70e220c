import { describe, expect, it } from 'vitest'
import { type SandboxTestOptions, sandboxTest } from '../../src/vitest/index.ts'

const test = sandboxTest({ scope: 'test', listen: false, clock: 'frozen@2026-05-06T12:00:00Z', randomSeed: 1 })
const ids = new Set<string>()

describe.concurrent('with a sandbox of its own, a test knows nothing of those that ran before or run beside it', () => {
  test.for([1, 2, 3])('number %i', async (_, { psp, sandbox, expect: see }) => {
    const { payment } = await psp.payments.create({ amount: 100 }, { outcome: 'pending' })
    ids.add(payment.id)
    see(payment.created_at).toBe('2026-05-06T12:00:00.000Z')
    await sandbox.clock.advance('24h')
    see((await psp.payments.get(payment.id)).status).toBe('expired')
    see(ids.size).toBe(1)
    see(psp).toBe(sandbox)
  })
})

it('refuses a scope that is none, and a server that all share', () => {
  expect(() => sandboxTest({ scope: 'file' } as unknown as SandboxTestOptions)).toThrow(
    'scope: expected worker or test, got "file".',
  )
  expect(() => sandboxTest({ scope: 'test', url: 'http://127.0.0.1:7770' })).toThrow(TypeError)
})
