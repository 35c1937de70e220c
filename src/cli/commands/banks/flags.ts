import { many } from '../../parsing/flags.ts'

export const BANKS_ARGUMENTS = { query: many('words of its name, or its id') }
