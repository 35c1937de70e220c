import { command } from '../../command.ts'
import { REQUEST_ARGUMENTS, REQUEST_FLAGS } from './flags.ts'

export const request = command({
  name: 'request',
  about: 'Send a request with your credentials and show the response.',
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
