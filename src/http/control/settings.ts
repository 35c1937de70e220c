import * as z from 'zod'
import type { World } from '../../engine/world.ts'
import { settingValues } from '../../settings.ts'
import { changed, ok, route } from './route.ts'

export const settings = [
  route({
    method: 'GET',
    path: '/settings',
    summary: 'Every setting, as people write it',
    run: ({ world }) => ok(values(world)),
  }),
  route({
    method: 'PATCH',
    path: '/settings',
    summary: 'Changes settings; null brings a default back',
    body: z.record(z.string(), z.unknown(), { error: 'an object of settings, such as {"delays.bank": "2s"}' }),
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
