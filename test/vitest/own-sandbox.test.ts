import { describe } from 'vitest'
import { sandboxTest } from '../../src/vitest/index.ts'

const test = sandboxTest({ scope: 'test', listen: false, clock: 'frozen@2026-05-06T12:00:00Z', randomSeed: 1 })
const ids = new Set<string>()

describe.concurrent('a test with a separate sandbox is independent of other tests', () => {
  test.for([1, 2, 3])('test number %i sees only its sandbox', async (_, { psp, sandbox, expect: see }) => {
    const { payment } = await psp.payments.create({ amount: 100 }, { outcome: 'pending' })
    ids.add(payment.id)
    see(payment.created_at).toBe('2026-05-06T12:00:00.000Z')
    await sandbox.clock.advance('24h')
    see((await psp.payments.get(payment.id)).status).toBe('expired')
    see(ids.size).toBe(1)
    see(psp).toBe(sandbox)
  })
})
