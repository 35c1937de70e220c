import { command } from '../../command.ts'
import { BANKS_ARGUMENTS } from './flags.ts'

export const banks = command({
  name: 'banks',
  about: 'Find the bank of a payout.',
  args: BANKS_ARGUMENTS,
  examples: [
    ['psp banks сбер', 'by a part of its name'],
    ['psp banks', 'the whole directory'],
  ],
  load: () => import('./banks.ts'),
})
