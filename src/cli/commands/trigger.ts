import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { command } from '../command.ts'
import { SHOP } from '../parsing/common-flags.ts'
import { list, optional, toggle } from '../parsing/flags.ts'
import { pair } from '../parsing/parse.ts'

export const TRIGGER_ARGUMENTS = { event: optional('an event, a scenario name, or a scenario file', WEBHOOK_EVENTS) }

export const TRIGGER_FLAGS = {
  set: list('--set <field=value>', 'set a field: amount=100, order_id=42, metadata.cart=7', pair),
  shop: SHOP,
  list: toggle('--list', 'list events and scenarios'),
}

export const trigger = command({
  description: 'Trigger an event with real operations, or run a scenario.',
  survivesClosedStdout: true,
  args: TRIGGER_ARGUMENTS,
  flags: TRIGGER_FLAGS,
  examples: [
    ['psp trigger payment.succeeded --set amount=150000 --set order_id=42', 'Create and pay a payment'],
    ['psp trigger payment.refunded', 'Create, pay and refund a payment'],
    ['psp trigger partial-refunds', 'Run a built-in scenario'],
    ['psp trigger ./my-scenario.json', 'Run a scenario file'],
  ],
  supportsDryRun: true,
})
