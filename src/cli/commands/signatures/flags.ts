import { list, optional, required, toggle, value } from '../../parsing/flags.ts'
import { duration, instantOrSeconds, integer, secret } from '../../parsing/parse.ts'

export const SIGN_ARGUMENTS = { body: required('file with the body, or - for stdin') }

export const SIGN_FLAGS = {
  secret: value('--secret <secret>', 'whs_… of the endpoint; thm_… with --request', secret),
  timestamp: value('--timestamp <seconds>', 'Unix time of the signature, default now', integer(0)),
  v1: toggle('--v1', 'the legacy form, sha256=…'),
  request: toggle('--request', 'the signature of a request to the service'),
}

export const VERIFY_ARGUMENTS = { body: optional('file with the body, or - for stdin') }

export const VERIFY_FLAGS = {
  secret: list('--secret <secret>', 'whs_… of the endpoint; thm_… with --request', secret),
  signature: value('--signature <header>', 'X-PSP-Signature: its value, or the line', headerValue),
  delivery: value('--delivery <id or file>', 'a delivery of the sandbox, or a line of psp listen --json'),
  tolerance: value('--tolerance <duration>', 'maximum age, or time ahead, default 5m', duration),
  now: value('--now <time>', 'current time for the tolerance: RFC 3339 or Unix seconds', instantOrSeconds),
  explain: toggle('--explain', 'find out why it does not match'),
  request: toggle('--request', 'the signature of a request to the service'),
}

/** Removes the header name, in case a complete header line was pasted. */
function headerValue(text: string): string {
  return text.trim().replace(/^x-(?:psp|service)-signature\s*:\s*/i, '')
}
