import { WEBHOOK_EVENTS } from '../../../domain/events.ts'
import { SIGNATURE_VERSIONS } from '../../../domain/webhook-signature.ts'
import { choice, list, toggle, value } from '../../parsing/flags.ts'
import { durationText, oneOf, positiveDuration } from '../../parsing/parse.ts'
import { forwardUrl } from '../../parsing/parse-address.ts'
import { forwardHeader } from '../../parsing/parse-header.ts'
import { parseRoute } from './plan.ts'

export const LISTEN_FLAGS = {
  forward: list('-f, --forward <url>', 'where to: localhost:3000/hooks, 3000, :3000/x, /x', forwardUrl),
  route: list('--route <events=url>', 'events that go elsewhere, as payment.*=:3000/x', parseRoute),
  events: list('-e, --events <names>', 'only these: payment.*,!payment.expired', undefined, WEBHOOK_EVENTS),
  header: list("-H, --header <'K: V'>", 'a header to add', forwardHeader),
  timeout: value('--timeout <duration>', 'how long the receiver may take, default 15s', positiveDuration),
  signature: choice('--signature <version>', 'form of the signature', SIGNATURE_VERSIONS, oneOf),
  backfill: value('--backfill <duration>', 'also what happened in the last 5m', durationText),
  shop: value('--shop <id>', 'a shop other than the first'),
  show_body: toggle('--show-body', 'show the bodies'),
  print_secret: toggle('--print-secret', 'print the secret the webhooks are signed with, and end'),
}
