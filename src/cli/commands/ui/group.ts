import { command } from '../../command.ts'

export const ui = command({
  name: 'ui',
  about: 'The live view: payments, webhooks, requests and the stream, with keys to steer them.',
  examples: [
    ['psp ui', 'of the running server, or of one that it starts itself'],
    ['psp ui --url http://127.0.0.1:7770', 'of this server'],
    ['psp ui | cat', 'without a terminal: the lines of `psp tail`'],
  ],
  stays: true,
  load: () => import('./ui.ts'),
})
