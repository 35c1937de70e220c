import { command } from '../../command.ts'
import { DOCTOR_FLAGS } from './flags.ts'

export const doctor = command({
  name: 'doctor',
  about: 'Find out why the sandbox does not work, and how to fix it.',
  flags: DOCTOR_FLAGS,
  examples: [
    ['psp doctor', 'port, lock, disk, data, proxies, loopback, clock, terminal, versions'],
    ['psp doctor --ready', 'exit code 0 if the server is ready, otherwise 6'],
    ['psp doctor --ready --wait --timeout 1m', 'wait for it'],
    ['psp doctor --ready --wait --ready-file psp.json', 'for the one that psp serve --ready-file psp.json starts'],
  ],
  load: () => import('./doctor.ts'),
})
