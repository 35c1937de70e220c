import { expect, test } from 'vitest'
import { createSandbox } from '../src/playing-sandbox.ts'

test.each<[unknown, string]>([
  [{ data: '.psp' }, 'data: createSandbox has no such option. It has folder, '],
  [{ dataFolder: '.psp' }, 'dataFolder: createSandbox has no such option.'],
  [5, "createSandbox takes an object, such as { folder: '.psp' }; it got 5."],
  [null, 'it got null.'],
  [[], 'it got [].'],
])('%j is told', async (options, text) => {
  const made = createSandbox(options as object)
  await expect(made).rejects.toThrow(TypeError)
  await expect(made).rejects.toThrow(text)
})

test('an option that is undefined is absent', async () => {
  const sandbox = await createSandbox({ folder: undefined } as object)
  await sandbox.close()
})
