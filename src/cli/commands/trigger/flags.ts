import { WEBHOOK_EVENTS } from '../../../domain/events.ts'
import { list, optional, toggle, value } from '../../parsing/flags.ts'
import { pair } from '../../parsing/parse.ts'

export const TRIGGER_ARGUMENTS = { event: optional('an event, the name of a scenario, or its file', WEBHOOK_EVENTS) }

export const TRIGGER_FLAGS = {
  set: list('--set <field=value>', 'a field of your own: amount=100, order_id=42, metadata.cart=7', pair),
  shop: value('--shop <id>', 'a shop other than the first'),
  list: toggle('--list', 'what can be triggered'),
}
