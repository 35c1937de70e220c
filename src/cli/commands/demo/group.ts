import { command } from '../../command.ts'

export const demo = command({
  name: 'demo',
  about: 'See the whole thing work: payments, refunds, expiry and retried webhooks, in a few seconds.',
  examples: [
    ['psp demo', 'nothing else has to run'],
    ['psp demo --json', 'the same, a line of JSON for each thing that happened'],
  ],
  load: () => import('./demo.ts'),
})
