import type { World } from '../../engine/world.ts'
import { SETTING_NAMES, settingValues } from '../../settings.ts'
import { anyObject } from './fields.ts'
import { ok, route } from './route.ts'

const VALUES = 'an object of settings, such as {"delays.bank": "2s"}'

export const settings = [
  route({
    name: 'getSettings',
    method: 'GET',
    path: '/settings',
    summary: 'Get the settings',
    description: 'Returns every setting, as people write it.',
    answers: { 200: 'Settings' },
    run: ({ world }) => ok(values(world)),
  }),
  route({
    name: 'getSettingSources',
    method: 'GET',
    path: '/settings/origins',
    summary: 'Get the sources of the settings',
    description:
      'Returns where each setting comes from: `default`, `settings` if it is stored, or what this run was started with.',
    answers: { 200: 'SettingSources' },
    run: ({ services, world }) => ok(origins(world, services.settingOrigins)),
  }),
  route({
    name: 'changeSettings',
    method: 'PATCH',
    path: '/settings',
    summary: 'Change settings',
    description: 'Changes the settings that are given. `null` restores a default.',
    // By entries: a record schema would let a name such as `__proto__` pass unseen.
    body: anyObject(VALUES).meta({ type: 'object' }),
    answers: { 200: 'Settings' },
    refuses: ['bad_request'],
    run({ services, world, body }) {
      services.engine.execute('change_settings', { values: body })
      return ok(values(world))
    },
  }),
]

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
