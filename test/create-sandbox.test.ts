import { expect, test } from 'vitest'
import { createSandbox } from '../src/create-sandbox.ts'

test.each<[unknown, string]>([
  [{ data: '.psp' }, 'data: createSandbox has no such option. It has folder, '],
  [{ dataFolder: '.psp' }, 'dataFolder: createSandbox has no such option.'],
  [5, "createSandbox takes an object, such as { folder: '.psp' }; it got 5."],
  [null, 'it got null.'],
  [[], 'it got [].'],
  [{ endpoints: ['ftp://q'] }, 'endpoints: "ftp://q": the scheme must be http or https, not ftp.'],
  [{ endpoints: [''] }, 'endpoints: "" is empty.'],
  [{ endpoints: [{ url: 'localhost:3' }] }, 'endpoints: expected a URL as a string, got object.'],
  [{ payUrl: 'pay.example' }, 'payUrl: "pay.example" does not begin with http:// or https://'],
  [{ seed: () => {} }, 'seed: expected an object, the JSON of a seed file'],
])('createSandbox rejects %j with a message', async (options, text) => {
  const made = createSandbox(options as object)
  await expect(made).rejects.toThrow(TypeError)
  await expect(made).rejects.toThrow(text)
})

test('createSandbox accepts a short endpoint address', async () => {
  const sandbox = await createSandbox({ endpoints: ['localhost:3000/hooks'] })
  expect([...sandbox.engine.world.rows('endpoints')]).toMatchObject([{ url: 'http://localhost:3000/hooks' }])
  await sandbox.close()
})

test('payment URLs begin with payUrl without its final slash', async () => {
  const sandbox = await createSandbox({ payUrl: ' "https://pay.example/shop/" ' })
  const response = await sandbox.fetch(
    new Request('http://127.0.0.1:7770/v1/public/payments', {
      method: 'POST',
      body: '{"amount":100}',
      headers: { Authorization: `Bearer ${sandbox.defaultShop().api_key}`, 'Content-Type': 'application/json' },
    }),
  )
  expect(((await response.json()) as { payment_url: string }).payment_url).toMatch(
    /^https:\/\/pay\.example\/shop\/pay\//,
  )
  await sandbox.close()
})

test('an option with the value undefined counts as absent', async () => {
  const sandbox = await createSandbox({ folder: undefined } as object)
  await sandbox.close()
})
