import { command } from '../command.ts'
import { asIs, list, required, toggle, value } from '../parsing/flags.ts'
import { requestHeader } from '../parsing/parse-header.ts'

export const REQUEST_ARGUMENTS = {
  method: required('GET, POST, …'),
  path: required('path, with a query if needed: /v1/public/payments'),
}

export const REQUEST_FLAGS = {
  body: value('-d, --body <json>', 'the body, @FILE for a file, - for stdin; sent unchanged', asIs),
  header: list("-H, --header <'K: V'>", "a header; 'K:' omits it, 'K;' sends it empty", requestHeader),
  sign: toggle('--sign', 'sign the request with the signing secret'),
  include: toggle('-i, --include', 'also show the main response headers'),
}

export const request = command({
  description: 'Send a request with your credentials and show the response.',
  args: REQUEST_ARGUMENTS,
  flags: REQUEST_FLAGS,
  examples: [
    ['psp request GET /v1/public/banks/sbp', 'Send a request with the API key'],
    [`psp request POST /v1/public/payments -d '{"amount":100}' --sign`, 'Sign the request with the signing secret'],
    ['psp request GET /_psp/health', 'Send a request to the control API, with its token'],
  ],
  supportsDryRun: true,
})
