// `psp trigger` explains a name and a reference that it cannot use.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDir, startTestServer, type TestServer } from './helpers.ts'

const folder = createTestDir()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  folder.remove()
  await server.close()
})

test.each([
  ['zzzzzz', '`psp trigger --list` shows them.'],
  ['payment.suceeded', 'Did you mean payment.succeeded?'],
  ['partial', 'Did you mean partial-refunds?'],
])('for the unknown name %s it says: %s', async (name, hint) => {
  const { code, stdout, stderr } = await server.psp(['trigger', name])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`There is no event or scenario "${name}".`)
  expect(stderr.trimEnd().endsWith(hint), stderr).toBe(true)
})

test('`psp trigger` without a name says how to list them', async () => {
  const { code, stderr } = await server.psp('trigger')
  expect([code, stderr]).toEqual([2, 'error Name an event or a scenario.\n`psp trigger --list` shows them.\n'])
})

test('a scenario with a reference to a field that a response lacks is wrong usage', async () => {
  const file = join(folder.path, 'wrong.json')
  const steps = [
    { id: 'create', do: 'payments.create', with: { amount: 100 } },
    { do: 'payments.get', with: { id: '\u0024{create.payment.number}' } },
  ]
  writeFileSync(file, JSON.stringify({ name: 'wrong', steps }))
  const { code, stderr } = await server.psp(['trigger', file])
  expect([code, stderr]).toEqual([2, expect.stringContaining('Correct the reference in the scenario.')])
})
