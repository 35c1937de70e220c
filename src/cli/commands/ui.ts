import { command } from '../command.ts'

export const ui = command({
  name: 'ui',
  about: 'Show payments, webhooks, requests and the stream live, with keys to control them.',
  examples: [
    ['psp ui', 'of the running server, or of a new one'],
    ['psp ui --url http://127.0.0.1:7770', 'of this server'],
    ['psp ui | cat', 'without a terminal: the lines of `psp tail`'],
  ],
  stays: true,
  load: async () => (await import('./ui/run.ts')).run,
})
