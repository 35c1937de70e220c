import type { World } from '../../engine/world.ts'
import { settingValues } from '../../settings.ts'
import { anyObject } from './fields.ts'
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
    body: anyObject(VALUES).meta({ type: 'object' }),
    answers: { 200: 'Settings' },
    refuses: ['bad_request'],
    run({ services, world, body }) {
      services.engine.execute('change_settings', { values: body })
      return changed(services, ok(values(world)))
    },
  }),
]

function values(world: World) {
  const stored = world.get('state', 'settings')
  return settingValues(stored?.id === 'settings' ? stored.values : {})
}
