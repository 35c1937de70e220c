import * as z from 'zod'
import { firstClock } from '../../time/clock.ts'
import type { Services } from '../services.ts'
import { flag } from './fields.ts'
import { ok, route } from './route.ts'

export const reset = [
  route({
    name: 'reset',
    method: 'POST',
    path: '/reset',
    summary: 'Reset the sandbox',
    description:
      'Deletes what the simulator made, in one step. With `all` it also restores the start: credentials, settings and the wall clock.',
    body: z.strictObject({
      all: flag.optional().meta({ description: 'Back to the start, not only without objects. Default: false.' }),
    }),
    bodyOptional: true,
    replaces: true,
    answers: { 200: 'Deleted' },
    refuses: ['bad_request'],
    run({ services, body }) {
      services.engine.execute('reset', body.all === true ? { all: start(services) } : {})
      return ok({ status: 'ok' })
    },
  }),
]

function start({ startShop, wall }: Services) {
  return { shop: startShop, clock: firstClock({ mode: 'real' }, wall.now()) }
}
