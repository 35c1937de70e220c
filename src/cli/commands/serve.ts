import { command } from '../command.ts'
import { configFlag, SERVER_FLAGS } from '../parsing/common-flags.ts'
import { toggle } from '../parsing/flags.ts'

export const SERVE_FLAGS = {
  ...SERVER_FLAGS,
  ready_file: configFlag('ready_file', { valueName: 'file' }),
  exit_with_parent: configFlag('exit_with_parent', {
    description: 'stop when the parent process ends (PSP_EXIT_WITH_PARENT)',
  }),
  open: toggle('--open', 'open the dashboard in the browser'),
}

export const serve = command({
  description: 'Start the payment service on this machine.',
  flags: SERVE_FLAGS,
  examples: [
    ['psp serve', 'Start on port 7770; data is in .psp'],
    ['psp serve --open', 'Start, and open the dashboard in the browser'],
    ['psp serve --port 0 --ephemeral --json', 'Use a free port, keep everything in memory, and print JSON'],
    ['psp serve --port 0 --ephemeral --ready-file psp.json', 'Write a file that `psp doctor --ready` can wait for'],
    ['psp serve --clock frozen@2026-05-06T12:00:00Z', 'Freeze the clock until `psp clock` moves it'],
    ['psp serve --endpoint http://localhost:3000/hooks', 'Add a webhook endpoint'],
    ['psp serve --seed shops.json --set delays.bank=0s', 'Load initial data, and let the bank decide at once'],
  ],
  notes: [
    'GET /_psp/health returns 200 without a token when the server is ready, for compose, Kubernetes, wait-on and curl.',
  ],
  isLongRunning: true,
  endsNormallyAtSignal: true,
})
