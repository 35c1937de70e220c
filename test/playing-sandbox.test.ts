import { expect, test } from 'vitest'
import { createSandbox } from '../src/playing-sandbox.ts'

test.each<[unknown, string]>([
  [{ data: '.psp' }, 'data: createSandbox has no such option. It has folder, '],
  [{ dataFolder: '.psp' }, 'dataFolder: createSandbox has no such option.'],
  [5, "createSandbox takes an object, such as { folder: '.psp' }; it got 5."],
  [null, 'it got null.'],
  [[], 'it got [].'],
  [{ endpoints: ['ftp://q'] }, 'endpoints: "ftp://q": webhooks are forwarded over http or https'],
  [{ endpoints: [''] }, 'endpoints: "" is no address to forward to.'],
  [{ endpoints: [{ url: 'localhost:3' }] }, 'endpoints: expected a url as text, got object.'],
  [{ seed: {} }, 'seed: expected a function'],
])('%j is told', async (options, text) => {
  const made = createSandbox(options as object)
  await expect(made).rejects.toThrow(TypeError)
  await expect(made).rejects.toThrow(text)
})

test('an endpoint is written as psp takes it everywhere', async () => {
  const sandbox = await createSandbox({ endpoints: ['localhost:3000/hooks'] })
  expect([...sandbox.engine.world.rows('endpoints')]).toMatchObject([{ url: 'http://localhost:3000/hooks' }])
  await sandbox.close()
})

test('an option that is undefined is absent', async () => {
  const sandbox = await createSandbox({ folder: undefined } as object)
  await sandbox.close()
})
