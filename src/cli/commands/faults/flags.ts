import { exampleOf } from '../../../domain/fault-syntax.ts'
import { FAULT_FIELDS, FAULT_TARGETS, type FaultTarget } from '../../../domain/faults.ts'
import { ID_EXAMPLES } from '../../../domain/id-examples.ts'
import { required, value } from '../../parsing/flags.ts'
import { fieldsText, matchFlags } from '../../parsing/match-flags.ts'
import { PAGE_FLAGS } from '../../parsing/page-flags.ts'
import { probability } from '../../parsing/parse.ts'

const TARGETS = Object.keys(FAULT_TARGETS) as FaultTarget[]

const KNOWN = TARGETS.map(
  (target) => `${target}: ${FAULT_TARGETS[target].map((name) => exampleOf(target, name)).join(', ')}`,
)

/** Faults of all targets, because completion does not know the previous argument. */
const NAMES = [
  ...new Set(
    (Object.keys(FAULT_TARGETS) as FaultTarget[]).flatMap((target) =>
      FAULT_TARGETS[target].map((name) => exampleOf(target, name)),
    ),
  ),
]

export const FAULT_ID = { id: required(`fault id, ${ID_EXAMPLES.fault}`) }
export const LIST_FLAGS = PAGE_FLAGS
export const ADD_ARGUMENTS = {
  target: required(Object.keys(FAULT_TARGETS).join(', '), Object.keys(FAULT_TARGETS)),
  fault: required(`the kind of fault. ${KNOWN.join('; ')}`, NAMES),
}
export const ADD_REMARKS = TARGETS.map((target) => `Fields of --match, ${target}: ${fieldsText(FAULT_FIELDS[target])}.`)
export const ADD_FLAGS = {
  ...matchFlags(TARGETS.flatMap((target) => FAULT_FIELDS[target])),
  probability: value('--probability <p>', 'from 0 to 1; uses the seeded generator', probability),
}
