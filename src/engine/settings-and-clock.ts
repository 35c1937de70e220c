// Settings, the clock and import: each one commit.
import { refuse } from '../domain/errors.ts'
import { PLAN_SYNTAX, parsePlan } from '../domain/simulator-plan.ts'
import { type FormatSetting, readSettings, requireSettings, SettingError } from '../settings.ts'
import type { Input } from './command.ts'
import { type Commit, put } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import { TABLE_NAMES } from './tables.ts'
import type { World } from './world.ts'

/** Changes settings after validating all names and values. `null` restores a default. */
export function changeSettings(input: Input<'change_settings'>, world: World, context: Context): Commit<null> {
  const { values, keepRunSettings = false } = input
  const draft = new Draft(world, context)
  const stored = world.get('state', 'settings')
  const merged = new Map(Object.entries(stored?.id === 'settings' ? stored.values : {}))
  for (const [name, value] of Object.entries(values)) {
    if (value === null) merged.delete(name)
    else merged.set(name, value)
  }
  const changed = Object.fromEntries(merged)
  const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  // The other settings were validated when they were set or read.
  checkSettings(set, Object.keys(values))
  draft.put('state', { id: 'settings', values: changed })
  return { ...draft.commit(null), ...(keepRunSettings ? {} : { overrides: Object.keys(values) }) }
}

/**
 * @param names all names, including those that are reset to their defaults
 * @throws RefusalError `bad_request`
 */
export function checkSettings(
  values: { readonly [name: string]: unknown },
  names: readonly string[] = [],
  show?: FormatSetting,
): void {
  try {
    requireSettings(names)
    const { default_outcome } = readSettings(values, show)
    if (parsePlan(default_outcome) === undefined) {
      throw new SettingError(
        `default_outcome: expected a plan (${PLAN_SYNTAX}), got ${JSON.stringify(default_outcome)}`,
      )
    }
  } catch (error) {
    if (error instanceof SettingError) throw refuse('bad_request', error.message)
    throw error
  }
}

export function setClock({ clock }: Input<'set_clock'>, world: World, context: Context): Commit<null> {
  const draft = new Draft(world, context)
  draft.put('state', clock)
  return draft.commit(null)
}

/** Replaces every table. Time continues with the given clock. */
export function importState({ prepared, clock }: Input<'import_state'>): Commit<null> {
  const settings = prepared.state.find((row) => row.id === 'settings')
  const puts = [...(settings === undefined ? [] : [settings]), clock].map((row) => put('state', row))
  const overrides = settings?.id === 'settings' ? Object.keys(settings.values) : []
  return { clear: TABLE_NAMES, prepared, deletes: [], puts, overrides, stream: [], result: null }
}
