import { command } from '../command.ts'
import { FORCE } from '../parsing/common-flags.ts'
import { list, mandatory, toggle, value } from '../parsing/flags.ts'
import { integer, nonEmpty, webhookSecret } from '../parsing/parse.ts'
import { listenHost, serverAddress } from '../parsing/parse-address.ts'

export const RECORD_FLAGS = {
  to: mandatory(value('--to <url>', 'base URL of the real service: https://api.real.example', serverAddress)),
  out: mandatory(value('-o, --out <file>', 'HAR file to write: a regular file, never stdout', nonEmpty)),
  port: value('-p, --port <n>', 'port of the proxy, default 7771; 0 picks a free one', integer(0, 65_535)),
  host: value('--host <address>', 'address that the proxy listens on, default 127.0.0.1', listenHost),
  body_limit: value(
    '--body-limit <bytes>',
    'longest body to record, in bytes, default 1048576',
    integer(1, 256 * 1024 * 1024),
  ),
  secret: list(
    '--secret <secret>',
    'in front of your handler: secret of its webhooks, whs_…, to check the signatures',
    webhookSecret,
  ),
  keep_personal_data: toggle('--keep-personal-data', 'keep personal data; secrets and card numbers are still replaced'),
  ...FORCE,
}

export const record = command({
  description: 'Record the traffic between your application and a real service.',
  flags: RECORD_FLAGS,
  examples: [
    [
      'psp record --to https://api.real.example --out session.har',
      'Record the traffic; your application uses the URL of the proxy',
    ],
    [
      'psp record --to localhost:3000 --secret whs_… --out webhooks.har',
      'Record the webhooks that your handler receives',
    ],
    ['psp record --to localhost:7770 --port 0 --out session.har', 'Record a sandbox, on a free port'],
  ],
  notes: [
    'psp replaces secrets and card numbers and, unless you pass --keep-personal-data, personal data. Check the file before you share it: it can still contain a name that is also a common word: `grant` anywhere, and `Grant` at the start of a sentence, in a key, in a path or in a field such as `status`. A name in a host name is kept too.',
    'Traffic passes through unchanged, except for `Host` and hop-by-hop headers such as `Connection`.',
    'The file is always valid HAR, so the recording can be stopped at any time.',
  ],
  isLongRunning: true,
  endsNormallyAtSignal: true,
})
