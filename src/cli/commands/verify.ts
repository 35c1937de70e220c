import { idOrStart } from '../../domain/id-examples.ts'
import { command } from '../command.ts'
import { list, optional, toggle, value } from '../parsing/flags.ts'
import { duration, instantOrSeconds, secret } from '../parsing/parse.ts'

export const VERIFY_ARGUMENTS = { body: optional('file with the body, or - for stdin') }

export const VERIFY_FLAGS = {
  secret: list('--secret <secret>', 'secret of the endpoint, whs_…; with --request, of the shop, thm_…', secret),
  signature: value('--signature <header>', 'value of X-PSP-Signature, or the whole header line', headerValue),
  delivery: value(
    '--delivery <id or file>',
    `a delivery of the sandbox (${idOrStart('delivery')}), or a file with lines of psp listen --json, whose last event is used`,
  ),
  tolerance: value('--tolerance <duration>', 'how old or how far ahead the signature may be, default 5m', duration),
  now: value('--now <time>', 'current time for the tolerance: RFC 3339 or Unix seconds', instantOrSeconds),
  explain: toggle('--explain', 'name the cause if the signature does not match, such as wrong_secret'),
  request: toggle('--request', "verify a request's signature (thm_…) instead of a webhook's"),
}

/** Removes the header name, in case a complete header line was pasted. */
function headerValue(text: string): string {
  return text.trim().replace(/^x-(?:psp|service)-signature\s*:\s*/i, '')
}

export const verify = command({
  description: 'Verify a signature, and find out why it does not match.',
  survivesClosedStdout: true,
  args: VERIFY_ARGUMENTS,
  flags: VERIFY_FLAGS,
  examples: [
    ["psp verify --secret whs_… --signature 't=…,v1=…,v2=…' body.json", 'Verify the bytes of a file'],
    ['psp verify --delivery dlv_… --explain', 'Verify a delivery of the sandbox'],
    [
      'psp verify --delivery dlv_… body.json --explain',
      'Verify the body that your application received against the headers of the delivery',
    ],
    ['psp listen --forward 3000 --json | tee line.json', 'Save deliveries for `psp verify --delivery line.json`'],
  ],
})
