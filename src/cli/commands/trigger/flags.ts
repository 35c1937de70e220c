import { WEBHOOK_EVENTS } from '../../../domain/events.ts'
import { list, optional, toggle, value } from '../../parsing/flags.ts'
import { pair } from '../../parsing/parse.ts'

export const TRIGGER_ARGUMENTS = { event: optional('an event, a scenario name, or a scenario file', WEBHOOK_EVENTS) }

export const TRIGGER_FLAGS = {
  set: list('--set <field=value>', 'a field value: amount=100, order_id=42, metadata.cart=7', pair),
  shop: value('--shop <id>', 'a shop other than the first'),
  list: toggle('--list', 'list events and scenarios'),
}
