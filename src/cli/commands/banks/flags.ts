import { many } from '../../flags.ts'

export const BANKS_ARGUMENTS = { query: many('words of its name, or its id') }
