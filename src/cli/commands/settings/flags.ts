import { optional, some } from '../../flags.ts'

export const SHOW_ARGUMENTS = { name: optional('one setting; without it, all') }
export const SET_ARGUMENTS = { 'name=value': some('a setting and its new value') }
