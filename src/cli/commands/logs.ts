import { command } from '../command.ts'
import { toggle, value } from '../parsing/flags.ts'
import { integer, statusFilter } from '../parsing/parse.ts'

export const LOGS_FLAGS = {
  follow: toggle('-f, --follow', 'continue with new requests'),
  status: value('--status <status>', 'only responses with this status: 404, 4xx', statusFilter),
  method: value('--method <method>', 'only requests with this method: POST'),
  path: value('--path <text>', 'only if the path contains this text'),
  show_body: toggle('--show-body', 'show the bodies of requests and responses'),
  limit: value('--limit <n>', 'at most n rows, default 100', integer(1, 1000)),
}

export const logs = command({
  description: 'Show the requests to the server, and what decided their outcomes.',
  flags: LOGS_FLAGS,
  examples: [
    ['psp logs --follow', 'Show new requests as they happen'],
    ['psp logs --status 4xx --show-body', 'Show rejected requests with their bodies'],
  ],
  isLongRunning: true,
})
