import { RULE_FIELDS } from '../../../domain/faults.ts'
import { ID_EXAMPLES } from '../../../domain/id-examples.ts'
import { PLAN_NAMES } from '../../../domain/simulator-plan.ts'
import { required } from '../../parsing/flags.ts'
import { fieldsText, matchFlags } from '../../parsing/match-flags.ts'
import { PAGE_FLAGS } from '../../parsing/page-flags.ts'

export const RULE_ID = { id: required(`rule id, ${ID_EXAMPLES.rule}`) }
export const LIST_FLAGS = PAGE_FLAGS
export const ADD_ARGUMENTS = {
  plan: required('succeeded, failed:CODE, pending, …; several with commas, one per match', PLAN_NAMES),
}
export const ADD_FLAGS = matchFlags(RULE_FIELDS)
export const ADD_REMARKS = [`Fields of --match: ${fieldsText(RULE_FIELDS)}.`]
