// Stores imported events, apart from the events of the sandbox.
import { refuse } from '../domain/errors.ts'
import type { CommandResult, Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import type { World } from './world.ts'

/** Stores all of the events or none. An event with a known id replaces the earlier event. */
export function importEvents(
  { events, replace }: Input<'import_events'>,
  world: World,
  context: Context,
): Commit<CommandResult<'import_events'>> {
  const draft = new Draft(world, context)
  if (replace === true) for (const { id } of [...world.rows('imported_events')]) draft.delete('imported_events', id)
  const before = replace === true ? 0 : world.size('imported_events')
  const ids = [...new Set(events.map(({ id }) => id))]
  const known = ids.filter((id) => draft.get('imported_events', id) !== undefined).length
  const total = before + ids.length - known
  const limit = world.settings['retention.imported']
  if (total > limit) {
    throw refuse(
      'bad_request',
      `Nothing was imported: there would be ${total} imported events, and the setting retention.imported is ${limit}. Replace the earlier events, or raise the setting.`,
    )
  }
  for (const event of events) draft.put('imported_events', { ...event, created_at: context.now })
  return draft.commit({ imported: ids.length - known, known, total })
}

export function removeImportedEvents(_: Input<'remove_imported_events'>, world: World, context: Context): Commit<null> {
  const draft = new Draft(world, context)
  for (const { id } of [...world.rows('imported_events')]) draft.delete('imported_events', id)
  return draft.commit(null)
}
