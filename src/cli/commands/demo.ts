import { command } from '../command.ts'

export const demo = command({
  name: 'demo',
  about: 'See payments, refunds, expiry and retried webhooks in a few seconds.',
  examples: [
    ['psp demo', 'without a running server'],
    ['psp demo --json', 'the same as one JSON document per line'],
  ],
  load: async () => (await import('./demo/run.ts')).run,
})
