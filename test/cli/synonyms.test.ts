import { expect, test } from 'vitest'
import { psp } from './rig.ts'

test.each([
  ['reset', 'psp store reset'],
  ['restore x', 'psp store restore'],
  ['snapshot x', 'psp store snapshot'],
  ['export state.json', 'psp store export'],
  ['import state.json', 'psp store import'],
  ['webhooks endpoints add :3000/hooks', 'psp webhooks endpoints create'],
  ['store list', 'psp store snapshots'],
  ['rules create succeeded', 'psp rules add'],
  ['open x', 'psp payments open'],
  ['pay x', 'psp payments pay'],
  ['refund x', 'psp payments refund'],
  ['refunds create x', 'psp payments refund'],
  ['resend x', 'psp events replay'],
  ['events resend x', 'psp events replay'],
  ['payments retrieve x', 'psp payments get'],
  ['version', 'psp --version'],
  ['login', 'psp config --env'],
  ['-v', '--version'],
  ['payments list --verbose', '--debug'],
  ['faults create api cut', 'psp faults add'],
  ['wait payment.succeeded --match order_id=1', '--where'],
  ['rules add succeeded --where order_id=1', '--match'],
  ['faults add api cut --where order_id=1', '--match'],
])('psp %s: names %s', async (line, meant) => {
  const { code, stderr } = await psp(line)
  expect(code).toBe(2)
  expect(stderr).toContain(`Did you mean ${meant}?`)
})

test('completion of a shell there is none for lists those there are', async () => {
  const { code, stderr } = await psp('completion tcsh')
  expect([code, stderr.split('\n')[1]]).toEqual([2, 'Choose one of bash, zsh, fish, powershell.'])
})
