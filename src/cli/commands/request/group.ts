import { command } from '../../command.ts'
import { REQUEST_ARGUMENTS, REQUEST_FLAGS } from './flags.ts'

export const request = command({
  name: 'request',
  about: 'Call any path with the right credentials, and see status and body.',
  args: REQUEST_ARGUMENTS,
  flags: REQUEST_FLAGS,
  examples: [
    ['psp request GET /v1/public/banks/sbp', 'with the API key'],
    [`psp request POST /v1/public/payments -d '{"amount":100}' --sign`, 'signed'],
    ['psp request GET /_psp/health', 'the control API, with its token'],
  ],
  supportsDryRun: true,
  load: () => import('./request.ts'),
})
