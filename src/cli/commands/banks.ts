import { command } from '../command.ts'
import { zeroOrMore } from '../parsing/flags.ts'

export const BANKS_ARGUMENTS = { query: zeroOrMore("words of the bank's name, or its id") }

export const banks = command({
  description: 'Find the id of a bank for a payout.',
  args: BANKS_ARGUMENTS,
  examples: [
    ['psp banks сбер', 'Find a bank by a part of its name'],
    ['psp banks', 'Show the whole directory'],
  ],
})
