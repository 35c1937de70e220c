import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { SIGNATURE_VERSIONS } from '../../domain/signatures.ts'
import { command } from '../command.ts'
import { SHOP } from '../parsing/common-flags.ts'
import { choice, list, toggle, value } from '../parsing/flags.ts'
import { durationText, oneOf, positiveDuration } from '../parsing/parse.ts'
import { forwardUrl } from '../parsing/parse-address.ts'
import { forwardHeader } from '../parsing/parse-header.ts'
import { parseRoute } from './listen/plan.ts'

export const LISTEN_FLAGS = {
  forward: list(
    '-f, --forward <url>',
    'receiver: localhost:3000/hooks, 3000, :3000/x, /x (on localhost:3000)',
    forwardUrl,
  ),
  route: list('--route <events=url>', 'receiver for these events, instead of --forward: payment.*=:3000/x', parseRoute),
  events: list('-e, --events <names>', 'only these events: payment.*,!payment.expired', undefined, WEBHOOK_EVENTS),
  header: list("-H, --header <'K: V'>", 'header to add to each webhook', forwardHeader),
  timeout: value(
    '--timeout <duration>',
    'how long the receiver may take, default: the setting webhook_timeout (15s)',
    positiveDuration,
  ),
  signature: choice('--signature <version>', 'version of the signature', SIGNATURE_VERSIONS, oneOf),
  backfill: value('--backfill <duration>', 'also forward past events: 5m for the last five minutes', durationText),
  shop: SHOP,
  show_body: toggle('--show-body', 'show the bodies'),
  print_secret: toggle('--print-secret', 'print the secret that signs the webhooks, and exit'),
}

export const listen = command({
  description: 'Forward webhooks to your application and show its responses.',
  flags: LISTEN_FLAGS,
  examples: [
    ['psp listen --forward localhost:3000/hooks', 'Forward webhooks to your server'],
    ['psp listen --forward 3000 --backfill 10m', 'Also forward events from the last ten minutes'],
    [
      "psp listen --route 'payout.*=:3000/payouts' --forward :3000/payments",
      'Send payout events to one URL and all others to another',
    ],
    ['psp listen --print-secret', 'Print the value of PSP_WEBHOOK_SECRET for your application'],
    ['psp listen --forward 3000 --timeout 10m', 'Allow time for a breakpoint'],
  ],
  isLongRunning: true,
  endsNormallyAtSignal: true,
})
