import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import type { World } from '../../engine/world.ts'
import { readSettings, SETTINGS, SettingError, settingValues } from '../../settings.ts'
import { changed, ok, route } from './route.ts'

const VALUES = 'an object of settings, such as {"delays.bank": "2s"}'

export const settings = [
  route({
    method: 'GET',
    path: '/settings',
    summary: 'Every setting, as people write it',
    answers: { 200: 'Settings' },
    run: ({ world }) => ok(values(world)),
  }),
  route({
    method: 'PATCH',
    path: '/settings',
    summary: 'Changes settings; null brings a default back',
    // By entries: a record schema would let a name such as `__proto__` pass unseen.
    body: z.custom<Record<string, unknown>>(isObject, { error: VALUES }).meta({ type: 'object' }),
    answers: { 200: 'Settings' },
    refuses: ['bad_request'],
    run({ services, world, body }) {
      for (const name of Object.keys(body)) requireKnown(name)
      services.engine.execute('change_settings', { values: body })
      return changed(services, ok(values(world)))
    },
  }),
]

/** Also a name that is only set back to its default. */
function requireKnown(name: string): void {
  if (Object.hasOwn(SETTINGS, name)) return
  try {
    readSettings(Object.fromEntries([[name, null]]))
  } catch (error) {
    if (error instanceof SettingError) throw refuse('bad_request', error.message)
    throw error
  }
}

function values(world: World) {
  const stored = world.get('state', 'settings')
  return settingValues(stored?.id === 'settings' ? stored.values : {})
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
