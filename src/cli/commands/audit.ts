import { command } from '../command.ts'
import { FORCE } from '../parsing/common-flags.ts'
import { list, optionalValue, required, toggle, underHeading, value } from '../parsing/flags.ts'
import { integer, nonEmpty, pair, positiveDuration, webhookSecret } from '../parsing/parse.ts'
import { forwardHeader } from '../parsing/parse-header.ts'

/** The smallest amount whose partial refunds are distinguishable. */
const MIN_AMOUNT = 1000

export const AUDIT_ARGUMENTS = { url: required('the webhook handler: localhost:3000/hooks, 3000, or a full URL') }

export const AUDIT_FLAGS = {
  secret: value('--secret <secret>', 'secret that the handler verifies with, whs_…', webhookSecret),
  only: list('--only <check>', 'run only this check; several with commas'),
  probe: list('--probe <url>', 'path or URL that returns the state in your shop: balance, orders/{order_id}'),
  probe_cmd: list(
    '--probe-cmd <command>',
    'command that prints the state in your shop; PSP_ORDER_ID and PSP_PAYMENT_ID are set',
    nonEmpty,
  ),
  probe_settle: value(
    '--probe-settle <duration>',
    'how long the state must stay the same to count as settled, default 100ms',
    positiveDuration,
  ),
  return_url: value('--return-url <url>', 'the page to which buyers return; its content is also checked', nonEmpty),
  order_id: list(
    '--order-id <id>',
    'an order in your application; repeat it: the checks need 7 orders, or 10 with --return-url',
  ),
  amount: value('--amount <n>', 'amount of the sample payments in minor units, default 150000', integer(MIN_AMOUNT)),
  metadata: list('--metadata <key=value>', 'metadata of the sample payments', pair),
  header: list('--header <header>', "header to add to each request, 'K: V'", forwardHeader),
  timeout: value('--timeout <duration>', 'how long the handler may take to respond, default 15s', positiveDuration),
  wait: optionalValue(
    '--wait [duration]',
    'wait until the handler accepts connections, for at most 30s by default',
    '30s',
    positiveDuration,
  ),
  strict: toggle('--strict', 'treat a warning as a failure'),
  junit: value('--junit <file>', 'also write a JUnit report', nonEmpty),
  html: value('--html <file>', 'also write an HTML report', nonEmpty),
  ...FORCE,
  ...underHeading('Exploration options', {
    explore: optionalValue(
      '--explore [duration]',
      'instead of the checks, search for an order of events that breaks the handler; the search lasts this long, default 60s; the run may take longer: up to 3s to confirm a failing case, up to --timeout for the last responses, and the time of probes that wait for late effects',
      '60s',
      positiveDuration,
    ),
    deliveries: value(
      '--deliveries <n>',
      'begin no case after this number of messages, default 2000; the last case, retries, and confirming or shrinking a finding may exceed it',
      integer(1),
    ),
    seed: value(
      '--seed <n>',
      'generate the same stories and schedules (how the events of a story are sent) as an earlier run; random by default',
      integer(0),
    ),
    story: value(
      '--story <file>',
      'begin with the story (the actions on the payments of one order) in a file written by `psp events export --scenario`, and vary it',
      nonEmpty,
    ),
    lanes: value(
      '--lanes <n>',
      'cases (a story, and how its events are sent) to run at the same time, default 8',
      integer(1, 64),
    ),
    save: value('--save <dir>', 'write a file for each finding; files of earlier searches are kept', nonEmpty),
    replay: value(
      '--replay <file>',
      'replay a finding that --save wrote, or a file written by `psp events export --scenario`',
      nonEmpty,
    ),
    order_cmd: value(
      '--order-cmd <command>',
      'command that creates an order and prints its id; PSP_ORDER_AMOUNT is set',
      nonEmpty,
    ),
    order_url: value(
      '--order-url <url>',
      'path or URL that creates an order: it gets POST {amount, currency} and returns the id',
      nonEmpty,
    ),
  }),
}

export const audit = command({
  description: 'Test a webhook handler against the cases that occur in production.',
  survivesClosedStdout: true,
  args: AUDIT_ARGUMENTS,
  flags: AUDIT_FLAGS,
  examples: [
    [
      "psp audit 3000/hooks --probe balance --probe 'orders/{order_id}'",
      'Check the effects on the balance and the order',
    ],
    [
      "psp audit 3000/hooks --probe 'orders/{order_id}' --explore 60s --save found",
      'Search for an order of events that breaks the handler',
    ],
    ['psp audit localhost:3000/hooks', 'Check only response statuses; the exit code is 8 if a check fails'],
    ['psp audit 3000/hooks --only duplicates,stale --junit audit.xml', 'Run two checks and write a report for CI'],
  ],
})
