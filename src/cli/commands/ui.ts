import { command } from '../command.ts'
import { toggle } from '../parsing/flags.ts'

export const UI_FLAGS = { web: toggle('--web', 'open the dashboard in the browser instead') }

export const ui = command({
  description: 'Show payments, webhooks, requests and the stream live, and control them.',
  flags: UI_FLAGS,
  examples: [
    ['psp ui', 'Show the running server, or start one'],
    ['psp ui --url http://127.0.0.1:7770', 'Show the server at this URL'],
    ['psp ui --web', 'Open the dashboard of the running server, or of a new one, in the browser'],
    ['psp ui | cat', 'Print the lines of `psp tail`, if there is no terminal'],
  ],
  isLongRunning: true,
  endsNormallyAtSignal: true,
})
