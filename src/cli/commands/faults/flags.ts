import { FAULT_TARGETS } from '../../../domain/faults.ts'
import { required, value } from '../../flags.ts'
import { MATCH_FLAGS } from '../../match-flags.ts'
import { PAGE_FLAGS } from '../../page-flags.ts'
import { probability } from '../../parse.ts'

export const FAULT_ID = { id: required('fault id') }
export const LIST_FLAGS = PAGE_FLAGS
export const ADD_ARGUMENTS = {
  target: required(Object.keys(FAULT_TARGETS).join(', ')),
  fault: required('what goes wrong: latency:2s, status:503, duplicate:1, tamper, …'),
}
export const ADD_FLAGS = {
  ...MATCH_FLAGS,
  probability: value('--probability <p>', 'from 0 to 1; drawn from the seeded generator', probability),
}
