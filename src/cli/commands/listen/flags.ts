import { WEBHOOK_EVENTS } from '../../../domain/events.ts'
import { SIGNATURE_VERSIONS } from '../../../domain/webhook-signature.ts'
import { choice, list, toggle, value } from '../../parsing/flags.ts'
import { durationText, oneOf, positiveDuration } from '../../parsing/parse.ts'
import { forwardUrl } from '../../parsing/parse-address.ts'
import { forwardHeader } from '../../parsing/parse-header.ts'
import { parseRoute } from './plan.ts'

export const LISTEN_FLAGS = {
  forward: list('-f, --forward <url>', 'receiver: localhost:3000/hooks, 3000, :3000/x, /x', forwardUrl),
  route: list('--route <events=url>', 'other receiver for some events: payment.*=:3000/x', parseRoute),
  events: list('-e, --events <names>', 'only these: payment.*,!payment.expired', undefined, WEBHOOK_EVENTS),
  header: list("-H, --header <'K: V'>", 'a header to add', forwardHeader),
  timeout: value('--timeout <duration>', 'deadline for the receiver, default 15s', positiveDuration),
  signature: choice('--signature <version>', 'version of the signature', SIGNATURE_VERSIONS, oneOf),
  backfill: value('--backfill <duration>', 'also forward events from the last 5m', durationText),
  shop: value('--shop <id>', 'a shop other than the first'),
  show_body: toggle('--show-body', 'show the bodies'),
  print_secret: toggle('--print-secret', 'print the secret that signs the webhooks, and exit'),
}
