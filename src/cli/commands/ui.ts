import { command } from '../command.ts'

export const ui = command({
  about: 'Show payments, webhooks, requests and the stream live, with keys to control them.',
  examples: [
    ['psp ui', 'Show the running server, or start one'],
    ['psp ui --url http://127.0.0.1:7770', 'Show the server at this URL'],
    ['psp ui | cat', 'Print the lines of `psp tail`, if there is no terminal'],
  ],
  isLongRunning: true,
})
