import { command } from '../command.ts'
import { configFlag } from '../parsing/common-flags.ts'
import { toggle, value } from '../parsing/flags.ts'
import { duration } from '../parsing/parse.ts'

export const DOCTOR_FLAGS = {
  ready: toggle('--ready', 'only check that the server is ready: a health check for containers'),
  wait: toggle('--wait', 'with --ready: wait until the server is ready'),
  ready_file: configFlag('ready_file', {
    valueName: 'file',
    description: 'with --ready: check the server that writes this file (PSP_READY_FILE)',
  }),
  timeout: value('--timeout <duration>', 'with --wait: maximum time, default 30s', duration),
}

export const doctor = command({
  description: 'Find out why the sandbox does not work, and how to fix it.',
  survivesClosedStdout: true,
  reportsBrokenConfig: true,
  flags: DOCTOR_FLAGS,
  examples: [
    ['psp doctor', 'Check versions, configuration, server, port, data, proxies, clock, webhooks and more'],
    ['psp doctor --ready', 'Exit with 0 only if the server is ready'],
    ['psp doctor --ready --wait --timeout 1m', 'Wait until the server is ready'],
    [
      'psp doctor --ready --wait --ready-file psp.json',
      'Wait for the server that `psp serve --ready-file psp.json` starts',
    ],
  ],
})
