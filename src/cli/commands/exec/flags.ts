import { configFlag } from '../../config/config-flags.ts'
import { some, toggle, value } from '../../parsing/flags.ts'
import { filled } from '../../parsing/parse.ts'
import { SERVER_FLAGS } from '../server-flags.ts'

export const EXEC_ARGUMENTS = { command: some('the command and its arguments, after --') }

/** The flags of `serve`. The sandbox is always in memory, on a separate port. */
export const EXEC_FLAGS = {
  ...SERVER_FLAGS,
  ephemeral: { ...SERVER_FLAGS.ephemeral, hidden: true } as const,
  durable: { ...SERVER_FLAGS.durable, hidden: true } as const,
  port: configFlag('port', { takes: 'n', short: 'p', about: 'port of the sandbox, default any free one' }),
  exit_with_parent: configFlag('exit_with_parent', {
    about: 'stop the command and the sandbox when the parent process ends',
  }),
  report: value('--report <dir>', 'write requests, deliveries, events and an export to this directory', filled),
  force: toggle('--force', 'replace files in the --report directory that psp did not write'),
}
