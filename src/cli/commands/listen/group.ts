import { command } from '../../command.ts'
import { LISTEN_FLAGS } from './flags.ts'

export const listen = command({
  name: 'listen',
  about: 'Forward webhooks to your application, and see what it answers.',
  flags: LISTEN_FLAGS,
  examples: [
    ['psp listen --forward localhost:3000/hooks', 'to your application'],
    ['psp listen --forward 3000 --backfill 10m', 'also what happened in the last ten minutes'],
    [
      "psp listen --route 'payout.*=:3000/payouts' --forward :3000/payments",
      'payouts to one address, the rest to another',
    ],
    ['psp listen --print-secret', 'for PSP_WEBHOOK_SECRET of your application'],
    ['psp listen --forward 3000 --timeout 10m', 'time to stop at a breakpoint'],
  ],
  stays: true,
  load: () => import('./listen.ts'),
})
