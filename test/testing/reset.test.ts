// The effect of a reset on webhooks in flight, in this process and over HTTP.
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, PLACES } from './places.ts'

afterEach(closeAll)

describe.each(PLACES)('%s', (_, start) => {
  it('a receiver gets no webhook from before a reset', async () => {
    const psp = await start()
    for (let i = 0; i < 20; i++) {
      const before = await psp.payments.create({ amount: 100 })
      await psp.payments.pay(before.payment.id)
      await psp.reset()
      const { payment } = await psp.payments.create({ amount: 100 })
      await psp.payments.pay(payment.id)
      await psp.waitFor('payment.succeeded')
      expect(psp.receiver.webhooks.map(({ message }) => message?.data.id)).toEqual([payment.id])
    }
  })

  it('a payment that a fault delays during a reset is rejected with sandbox_reset', async () => {
    const psp = await start()
    await psp.faults.add({ target: 'api', fault: 'latency:60s' })
    const held = psp.payments.create({ amount: 100 })
    const refused = expect(held).rejects.toMatchObject({ status: 409, code: 'sandbox_reset' })
    while ((await psp.faults.list())[0]?.applied !== 1);
    await psp.reset()
    await refused
    expect(await psp.payments.list()).toEqual([])
  })
})
