import { command } from '../command.ts'

export const demo = command({
  description: 'See payments, refunds, expiry and retried webhooks in a few seconds.',
  survivesClosedStdout: true,
  examples: [
    ['psp demo', 'Show the main cases'],
    ['psp demo --json', 'Print one JSON document per line'],
  ],
})
