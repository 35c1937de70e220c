import * as z from 'zod'
import { RefusalError, refuse } from '../../domain/errors.ts'
import { initialClock } from '../../time/clock.ts'
import type { Services } from '../services.ts'
import { requirePrivateSecrets } from './development-secrets.ts'
import { flag } from './fields.ts'
import { ok, route } from './route.ts'
import { countRows } from './server-routes.ts'

export const resetRoutes = [
  route({
    name: 'reset',
    method: 'POST',
    path: '/reset',
    summary: 'Reset the sandbox',
    description:
      'Deletes the created objects, rules and faults, and applies the seed again, in one step. With `all`, the reset also restores shops, credentials and settings, and sets the clock to system time. Work that began before the reset has no effect after it.',
    body: z.strictObject({
      all: flag
        .optional()
        .meta({ description: 'True: also restores shops, credentials, settings and the clock. Default: false.' }),
    }),
    bodyOptional: true,
    replacesState: true,
    responses: { 200: 'Deleted' },
    errors: ['not_allowed'],
    run({ services, body }) {
      const { engine, seed } = services
      const all = body.all === true
      if (all) requirePrivateSecrets(services.control, [services.defaultShop], KEEP_SHOPS)
      requirePrivateSecrets(
        services.control,
        seed?.shops ?? [],
        'Start the server with a seed that has private secrets.',
      )
      try {
        engine.execute('reset', { ...(all && { all: initialState(services) }), ...(seed && { seed }) })
      } catch (error) {
        throw error instanceof RefusalError ? seedError(error, all) : error
      }
      return ok({
        status: 'ok',
        ...(services.dryRun && { would_replace: countRows(engine.world), would_apply_seed: seed !== undefined }),
      })
    },
  }),
]

const KEEP_SHOPS =
  'Reset without `all`, which keeps the shops, or use a new data directory that was created with private credentials.'

/** Returns the error for a seed that does not fit the shops and settings, which may have changed since the start. */
function seedError({ message }: RefusalError, all: boolean): RefusalError {
  const remedy = all ? 'Correct the seed.' : 'Reset with {"all": true}, which also restores shops and settings.'
  return refuse('not_allowed', `The seed cannot be applied, so nothing was changed. ${message} ${remedy}`)
}

function initialState({ defaultShop, systemClock }: Services) {
  return { shop: defaultShop, clock: initialClock({ mode: 'real' }, systemClock.now()) }
}
