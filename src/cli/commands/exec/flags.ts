import { configuring, some, value } from '../../flags.ts'
import { filled, integer } from '../../parse.ts'
import { SERVER_FLAGS } from '../server-flags.ts'

export const EXEC_ARGUMENTS = { command: some('the command and its arguments, after --') }

/** Those of `serve`; the sandbox lives in memory, on a port of its own. */
const { ephemeral, durable, ...shared } = SERVER_FLAGS
export const EXEC_FLAGS = {
  ...shared,
  ...configuring({ port: value('--port <n>', 'port of the sandbox, default a free one', integer(0, 65_535)) }),
  report: value('--report <dir>', 'keep requests, deliveries, events and an export as files there', filled),
}
