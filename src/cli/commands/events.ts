import { quoteText } from '../../domain/characters.ts'
import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { idOrStart, shortenableId, shortenableIds } from '../../domain/id-examples.ts'
import type { RecordingFormat } from '../../recordings/recorded-message.ts'
import { command, group } from '../command.ts'
import { usageError } from '../failure.ts'
import { FORCE, PAGE_FLAGS, SHOP_FILTER } from '../parsing/common-flags.ts'
import { eventPattern } from '../parsing/event-patterns.ts'
import { asIs, choice, list, mandatory, oneOrMore, required, toggle, value, zeroOrMore } from '../parsing/flags.ts'
import { oneOf, pair, sinceText, webhookSecret } from '../parsing/parse.ts'
import { endpointUrl } from '../parsing/parse-address.ts'

const FORMATS = ['har', 'ndjson', 'nginx', 'curl'] as const satisfies readonly RecordingFormat[]

export const EVENT_ID = { id: required(shortenableId('event')) }

export const LIST_FLAGS = {
  event: value(
    '--event <name>',
    'only events with this name or pattern: payment.succeeded, payment.*',
    eventPattern,
    WEBHOOK_EVENTS,
  ),
  object_id: value('--object <id>', `only for this payment or payout: ${idOrStart('payment')}`),
  shop_id: SHOP_FILTER,
  since: value('--since <when>', 'only from this time on: 10m for ten minutes ago, or a time', sinceText),
  imported: toggle('--imported', 'list imported events instead of those of the sandbox'),
  order_id: value('--order <id>', 'with --imported: only for this order'),
  ...PAGE_FLAGS,
}

export const REPLAY_ARGUMENTS = { ids: zeroOrMore(shortenableIds('event')) }

export const REPLAY_FLAGS = {
  to: value('--to <url>', 'send only to this URL', endpointUrl),
  body: value('--body <file>', 'send the body in this file instead of the original body; - for stdin', asIs),
  same_timestamp: toggle('--same-timestamp', 'reuse the timestamp of the first signature'),
  since: value('--since <when>', 'send all events from this time on: 10m for ten minutes ago, or a time', sinceText),
  event: list(
    '--event <names>',
    'with --since or --imported: only payment.*, !payment.expired, …',
    undefined,
    WEBHOOK_EVENTS,
  ),
  imported: toggle(
    '--imported',
    'send imported events: all of them, or those with the given ids of imported events; the events of one object keep their order',
  ),
  order_id: value('--order <id>', 'with --imported: only the events of this order'),
  instant: toggle('--instant', 'with --imported: send without pauses (default)'),
  as_recorded: toggle('--as-recorded', 'with --imported: keep the pauses of the recording'),
  speed: value('--speed <factor>', 'with --imported: divide the pauses by this factor, such as 100x', factor),
  map: list(
    '--map <field=file>',
    'with --imported: replace values of a field; the file has lines old,new or is JSON',
    pair,
  ),
}

/** Parses `100x` or `0.5`. */
function factor(text: string): number {
  const number = Number(/^(\d+(?:\.\d+)?)x?$/.exec(text)?.[1])
  if (number > 0) return number
  throw usageError(`${quoteText(text)} is not a factor.`, 'Write how many times faster than recorded, such as 100x.')
}

export const IMPORT_ARGUMENTS = { files: oneOrMore('files to read; - for stdin') }

export const IMPORT_FLAGS = {
  format: choice('--format <name>', 'format of the files; detected by default', FORMATS, oneOf),
  secret: list(
    '--secret <secret>',
    'secret of the endpoint that received the events, whs_…, to check the signatures',
    webhookSecret,
  ),
  replace: toggle('--replace', 'remove the events of earlier imports'),
  keep_personal_data: toggle('--keep-personal-data', 'keep personal data; secrets and card numbers are still replaced'),
  skip_invalid: toggle('--skip-invalid', 'skip messages that cannot be imported, and list them'),
}

export const EXPORT_FLAGS = {
  scenario: mandatory(value('--scenario <file>', 'file to write; - for stdout')),
  order_id: mandatory(value('--order <id>', 'order whose events to write')),
  imported: toggle('--imported', 'use imported events instead of those of the sandbox'),
  ...FORCE,
}

export const events = group({
  description: 'List webhook events and send them again.',
  commands: {
    list: command({
      description: 'List events, newest first.',
      flags: LIST_FLAGS,
      examples: [
        ['psp events list --event "payment.*" --since 1h', 'Show payment events from the last hour'],
        ['psp events list --imported --order order-1001', 'Show the imported events of an order'],
      ],
    }),
    get: command({
      description: 'Show an event with its data.',
      args: EVENT_ID,
      examples: [['psp events get evt_…', "Show an event, with the payment or payout as it was at the event's time"]],
    }),
    replay: command({
      description: 'Send events again: same id and bytes, fresh signature.',
      survivesClosedStdout: true,
      args: REPLAY_ARGUMENTS,
      flags: REPLAY_FLAGS,
      examples: [
        ['psp events replay evt_…', 'Send an event to every current receiver'],
        ['psp events replay evt_… --to localhost:3000/hooks', 'Send an event to one URL'],
        ['psp events replay evt_… --body edited.json', 'Send an edited body; its deliveries are marked as edited'],
        ['psp events replay --since 10m --event "payment.*"', 'Send all payment events from the last ten minutes'],
        [
          'psp events replay --imported --to localhost:3000/hooks --speed 100x',
          'Send imported events, faster than recorded',
        ],
      ],
      supportsDryRun: true,
      notes: [
        'Each result is printed as it arrives, with --json on one line. A failed delivery does not stop the others.',
        'With --since, events without a receiver are skipped and counted.',
      ],
    }),
    import: command({
      description: 'Import production events from a HAR file, a log or a curl command.',
      survivesClosedStdout: true,
      args: IMPORT_ARGUMENTS,
      flags: IMPORT_FLAGS,
      supportsDryRun: true,
      examples: [
        ['psp events import session.har --secret whs_…', 'Import the webhooks that a proxy recorded, and check them'],
        ['psp events import access.log --format nginx', 'Import from a JSON log of nginx'],
        ['psp events import request.txt', 'Import a request that a browser copied as cURL'],
      ],
      notes: [
        'If a file cannot be read, nothing is imported. The same applies if a message cannot be imported, unless you pass --skip-invalid.',
        'An event with an invalid signature is imported, and the exit code is 8.',
        'Secrets and card numbers are always replaced, and personal data too, unless you pass --keep-personal-data.',
      ],
    }),
    export: command({
      description: 'Write the events of an order to a file that `psp trigger` and `psp audit` read.',
      flags: EXPORT_FLAGS,
      examples: [
        ['psp events export --scenario story.json --order order-1001 --imported', 'Turn an incident into a scenario'],
      ],
    }),
  },
})
