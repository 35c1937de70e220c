import { TABLE_NAMES } from '../../engine/tables.ts'
import type { World } from '../../engine/world.ts'
import { ok, route } from './route.ts'

export const counts = [
  route({
    name: 'countObjects',
    method: 'GET',
    path: '/counts',
    summary: 'Count the stored objects',
    description: 'Returns how many rows each table of the state has.',
    responses: { 200: 'ObjectCounts' },
    run: ({ world }) => ok(countRows(world)),
  }),
]

export function countRows(world: Pick<World, 'size'>): { readonly [table: string]: number } {
  return Object.fromEntries(TABLE_NAMES.map((name) => [name, world.size(name)]))
}
