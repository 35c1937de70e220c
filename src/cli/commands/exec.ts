import { command } from '../command.ts'
import { configFlag, SERVER_FLAGS } from '../parsing/common-flags.ts'
import { oneOrMore, toggle, value } from '../parsing/flags.ts'
import { nonEmpty } from '../parsing/parse.ts'

export const EXEC_ARGUMENTS = {
  command: { ...oneOrMore('the command and its arguments, after --'), laterWordsMayBeEmpty: true as const },
}

/** The sandbox of `exec` is always in memory, so the hidden flags have no effect. */
export const EXEC_FLAGS = {
  ...SERVER_FLAGS,
  ephemeral: { ...SERVER_FLAGS.ephemeral, hidden: true } as const,
  durable: { ...SERVER_FLAGS.durable, hidden: true } as const,
  port: configFlag('port', { valueName: 'n', short: 'p', description: 'port of the sandbox, default a free port' }),
  exit_with_parent: configFlag('exit_with_parent', {
    description: 'stop the command and the sandbox when the parent process ends (PSP_EXIT_WITH_PARENT)',
  }),
  generate_credentials: configFlag('generate_credentials', {
    description: 'create random credentials for the sandbox (PSP_GENERATE_CREDENTIALS)',
  }),
  report: value(
    '--report <dir>',
    'write requests, deliveries, events and an export of the state to this directory',
    nonEmpty,
  ),
  force: toggle('--force', 'replace files in the --report directory that psp did not write'),
}

export const exec = command({
  description: 'Run a command with a fresh sandbox, and stop the sandbox afterwards.',
  args: EXEC_ARGUMENTS,
  flags: EXEC_FLAGS,
  examples: [
    ['psp exec -- npm test', 'Run your tests with a sandbox'],
    ['psp exec --report psp-report -- npm test', 'Keep files with the sandbox data as CI artifacts'],
    ['psp exec --clock frozen --set delays.bank=0s -- npm test', 'Use options of `psp serve`'],
  ],
  isLongRunning: true,
})
