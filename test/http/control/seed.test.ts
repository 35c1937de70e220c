// Rules and faults of a seed work like those of the control API. The first one of the file is matched first.
import { afterEach, expect, test } from 'vitest'
import { readSeed } from '../../../src/http/control/seed.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { assembleSandbox } from '../../../src/sandbox.ts'

let sandbox: Sandbox | undefined
afterEach(() => sandbox?.close({ grace_ms: 0 }))

const create = (amount: number) =>
  sandbox?.fetch(
    new Request('http://127.0.0.1/v1/public/payments', {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.defaultShop().api_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ amount }),
    }),
  ) as Promise<Response>

test('rules and faults of a seed apply from the first request, in the order of the file', async () => {
  sandbox = await assembleSandbox({
    clock: { mode: 'frozen' },
    seed: readSeed({
      rules: [{ plan: ['failed', 'pending'], times: 2 }, { plan: 'requires_action' }],
      faults: [
        { target: 'api', fault: 'status:429', times: 1 },
        { target: 'api', fault: 'status:503', times: 1 },
      ],
    }),
  })
  expect([(await create(100)).status, (await create(100)).status]).toEqual([429, 503])
  const outcomes: unknown[] = []
  for (let i = 0; i < 4; i++) outcomes.push(((await (await create(100)).json()) as { simulator: string }).simulator)
  expect(outcomes).toEqual(['failed', 'pending', 'requires_action', 'requires_action'])
})

test.each([
  [{ rules: [{ plan: 'failed' }, { plan: 'nonsense' }] }, 'rules[1].plan: "nonsense" is not a plan'],
  [{ rules: [{ plan: 'failed', match: { colour: 'red' } }] }, 'rules[0].match.colour: unknown field'],
  [{ faults: [{ target: 'webhook', fault: 'delay' }] }, 'faults[0].fault: "delay": delay takes a duration'],
  [
    { faults: [{ target: 'api', fault: 'cut', probability: 2 }] },
    'faults[0].probability: expected a number from 0 to 1',
  ],
  [
    { shops: [{ endpoints: [{ url: 'nowhere', events: ['x'] }] }, {}] },
    /^shops\[0\]\.endpoints\[0\]\.url: expected .*\. shops\[0\]\.endpoints\[0\]\.events\[0\]: expected one of/,
  ],
  [{ shops: [{}, { a: 1, b: 2 }] }, 'shops[1].a: unknown field. shops[1].b: unknown field. Known fields: '],
  [{ shops: [{ endpoints: [{ url: 'http://a.example', evnts: [] }] }] }, 'shops[0].endpoints[0].evnts: unknown field.'],
  [
    { payments: [{ amount: 1 }, { amount: 'x', currency: 'rub' }] },
    /^payments\[1\]\.amount: expected .*\. payments\[1\]\.currency: expected/,
  ],
  [{ payments: [{ amuont: 1 }] }, 'payments[0].amuont: unknown field, did you mean amount?'],
  [{ paymets: [] }, 'paymets: unknown field, did you mean payments?'],
  [{ rules: [{ plann: 'failed' }] }, 'rules[0].plann: unknown field, did you mean plan?'],
  [{ tabels: {} }, 'tabels: unknown field. Known fields: $schema, shops, settings, rules, faults, payments, payouts.'],
  [{ payouts: [{ amount: 1 }] }, /^payouts\[0\]\.phone: required.* payouts\[0\]\.bank_id: required/],
  [{ settings: { 'delays.bnak': null } }, 'settings: Unknown setting "delays.bnak": did you mean delays.bank'],
])('the seed %j is refused with the path of its field', async (seed, message) => {
  await expect((async () => assembleSandbox({ seed: readSeed(seed) }))()).rejects.toThrow(message)
})
