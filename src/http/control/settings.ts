import type { NumberLiterals } from '../../domain/number-literals.ts'
import { checkSettings } from '../../engine/settings-and-clock.ts'
import type { World } from '../../engine/world.ts'
import { formatSetting, SETTING_NAMES, settingValues } from '../../settings.ts'
import { anyObject } from '../value-schemas.ts'
import { ok, route } from './route.ts'

const VALUES = 'an object of settings, such as {"delays.bank": "2s"}'

export const settingsRoutes = [
  route({
    name: 'getSettings',
    method: 'GET',
    path: '/settings',
    summary: 'Get the settings',
    description: 'Returns every setting. Durations are strings such as `2s`.',
    responses: { 200: 'Settings' },
    run: ({ world }) => ok(values(world)),
  }),
  route({
    name: 'getSettingSources',
    method: 'GET',
    path: '/settings/origins',
    summary: 'Get the sources of the settings',
    description:
      'Returns the source of each setting: `default`, `settings` if the value is stored, or the flag, variable or file of this run.',
    responses: { 200: 'SettingSources' },
    run: ({ services, world }) => ok(origins(world, services.settingOrigins)),
  }),
  route({
    name: 'changeSettings',
    method: 'PATCH',
    path: '/settings',
    summary: 'Change settings',
    description: 'Changes the settings that the body contains. `null` restores a default.',
    // Not a record schema, because it would ignore a name such as `__proto__`.
    body: anyObject(VALUES).meta({ type: 'object' }),
    responses: { 200: 'Settings' },
    run({ services, world, body, numbers }) {
      checkWrittenSettings(body, numbers)
      services.engine.execute('change_settings', { values: body })
      return ok(values(world))
    },
  }),
]

/**
 * Checks the values of a body. The engine command checks them again, but its message cannot quote a number as it was
 * written.
 * @throws RefusalError `bad_request`
 */
export function checkWrittenSettings(body: Record<string, unknown>, numbers?: NumberLiterals): void {
  const set = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  checkSettings(set, Object.keys(body), (name, value) => numbers?.at([name]) ?? formatSetting(name, value))
}

function values(world: World) {
  return settingValues({ ...stored(world), ...world.run_settings })
}

function origins(world: World, ofRun: { readonly [name: string]: string } = {}) {
  const kept = stored(world)
  const origin = (name: string) => {
    if (Object.hasOwn(world.run_settings, name)) return ofRun[name] ?? 'options'
    return Object.hasOwn(kept, name) ? 'settings' : 'default'
  }
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, origin(name)]))
}

function stored(world: World) {
  const row = world.get('state', 'settings')
  return row?.id === 'settings' ? row.values : {}
}
