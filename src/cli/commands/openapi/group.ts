import { command } from '../../command.ts'
import { OPENAPI_FLAGS } from './flags.ts'

export const openapi = command({
  name: 'openapi',
  about: 'Print the OpenAPI 3.1 document of the service.',
  flags: OPENAPI_FLAGS,
  examples: [
    ['psp openapi --out openapi.json', 'for a client generator'],
    ['psp openapi --control', 'the control API'],
  ],
  load: () => import('./openapi.ts'),
})
