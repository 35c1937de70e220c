import { TABLE_NAMES } from '../../engine/tables.ts'
import { ok, route } from './route.ts'

export const counts = [
  route({
    method: 'GET',
    path: '/counts',
    summary: 'How many rows each table of the state holds',
    answers: { 200: 'Counts' },
    run: ({ world }) => ok(Object.fromEntries(TABLE_NAMES.map((name) => [name, world.size(name)]))),
  }),
]
