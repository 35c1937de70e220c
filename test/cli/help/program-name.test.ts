import { expect, test } from 'vitest'
import { calledAs } from '../../../src/cli/help/program-name.ts'

test('a shell finds psp only where npm was not needed to find it', () => {
  expect(calledAs({ env: {} })).toBe('psp')
  for (const npm_command of ['exec', 'run-script', 'test']) expect(calledAs({ env: { npm_command } })).toBe('npx psp')
})
