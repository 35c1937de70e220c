import { command } from '../../command.ts'
import { LISTEN_FLAGS } from './flags.ts'

export const listen = command({
  name: 'listen',
  about: 'Forward webhooks to your application and show its responses.',
  flags: LISTEN_FLAGS,
  examples: [
    ['psp listen --forward localhost:3000/hooks', 'to your application'],
    ['psp listen --forward 3000 --backfill 10m', 'also events from the last ten minutes'],
    [
      "psp listen --route 'payout.*=:3000/payouts' --forward :3000/payments",
      'payouts to one URL, other events to another',
    ],
    ['psp listen --print-secret', 'for PSP_WEBHOOK_SECRET of your application'],
    ['psp listen --forward 3000 --timeout 10m', 'more time, for a breakpoint'],
  ],
  stays: true,
  load: () => import('./listen.ts'),
})
