import { command } from '../command.ts'
import { required, toggle, value } from '../parsing/flags.ts'
import { integer, secret } from '../parsing/parse.ts'

export const SIGN_ARGUMENTS = { body: required('file with the body, or - for stdin') }

export const SIGN_FLAGS = {
  secret: value('--secret <secret>', 'secret of the endpoint, whs_…; with --request, of the shop, thm_…', secret),
  timestamp: value('--timestamp <seconds>', 'Unix time of the signature, default now', integer(0)),
  v1: toggle('--v1', 'print the legacy form, sha256=…'),
  request: toggle('--request', 'sign a request (thm_…) instead of a webhook'),
}

export const sign = command({
  description: 'Sign a webhook as the service does, or a request as a shop does.',
  args: SIGN_ARGUMENTS,
  flags: SIGN_FLAGS,
  examples: [
    ['psp sign --secret whs_… body.json', 'Print the value of X-PSP-Signature, signed now'],
    ['psp sign --request --secret thm_… body.json', 'Sign a request to the service'],
  ],
})
