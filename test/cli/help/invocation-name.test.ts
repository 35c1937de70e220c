import { expect, test } from 'vitest'
import { invocationName } from '../../../src/cli/help/invocation-name.ts'

test('a shell finds psp only where npm was not needed to find it', () => {
  expect(invocationName({ env: {} })).toBe('psp')
  for (const npm_command of ['exec', 'run-script', 'test'])
    expect(invocationName({ env: { npm_command } })).toBe('npx psp')
})
