// Rules and faults: they come, count and go.
import { refuse } from '../domain/errors.ts'
import { STREAM_KINDS, WEBHOOK_EVENTS } from '../domain/events.ts'
import { parseFault, whyNoFault } from '../domain/fault-forms.ts'
import {
  FAULT_FIELDS,
  type Fault,
  type FaultTarget,
  matches,
  RULE_FIELDS,
  type Rule,
  together,
} from '../domain/faults.ts'
import { PAYMENT_METHODS } from '../domain/payment-methods.ts'
import { PAYMENT_STATUSES } from '../domain/payment-states.ts'
import { PAYOUT_METHODS } from '../domain/payout.ts'
import { parsePlan, whyNoPlan } from '../domain/simulator-plan.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import type { World } from './world.ts'

export function addRule(command: Input<'add_rule'>, world: World, context: Context): Commit<Rule> {
  const draft = new Draft(world, context)
  const plans = typeof command.plan === 'string' ? [command.plan] : command.plan
  if (plans.length === 0) throw refuse('bad_request', 'plan: a sequence needs at least one plan.')
  for (const plan of plans) {
    if (parsePlan(plan) === undefined) {
      throw refuse('bad_request', `plan: ${whyNoPlan(plan)}`)
    }
  }
  checkMatch(command.match ?? {}, RULE_FIELDS, RULE_VALUES)
  return draft.commit(
    draft.put('rules', {
      id: `rul_${context.random.token(12)}`,
      created_at: context.now,
      match: command.match ?? {},
      ...counts(command),
      plan: command.plan,
    }),
  )
}

export function addFault(command: Input<'add_fault'>, world: World, context: Context): Commit<Fault> {
  const draft = new Draft(world, context)
  if (parseFault(command.target, command.fault) === undefined) {
    throw refuse('bad_request', `fault: ${whyNoFault(command.target, command.fault)}`)
  }
  checkMatch(command.match ?? {}, FAULT_FIELDS[command.target], FAULT_VALUES[command.target])
  return draft.commit(
    draft.put('faults', {
      id: `flt_${context.random.token(12)}`,
      created_at: context.now,
      match: command.match ?? {},
      ...counts(command),
      target: command.target,
      fault: command.fault,
      ...(command.probability === undefined ? {} : { probability: command.probability }),
    }),
  )
}

type Values = { readonly [field: string]: readonly string[] }

/** Fields whose values are known beforehand: a slip of the pen would never match, and nobody would be told. */
const RULE_VALUES: Values = {
  operation: ['payment', 'refund', 'payout'],
  method: [...PAYMENT_METHODS, ...PAYOUT_METHODS],
}

const FAULT_VALUES: { readonly [T in FaultTarget]: Values } = {
  api: {},
  webhook: { event: WEBHOOK_EVENTS },
  stream: { kind: STREAM_KINDS },
  redirect: { status: PAYMENT_STATUSES },
}

export function removeRules({ id }: Input<'remove_rules'>, world: World, context: Context): Commit<null> {
  return remove('rules', id, world, context)
}

export function removeFaults({ id }: Input<'remove_faults'>, world: World, context: Context): Commit<null> {
  return remove('faults', id, world, context)
}

/**
 * The faults that apply to this request, newest first. Each match is counted, applied or not; one that cannot be done
 * beside a newer one is left for the next request.
 */
export function takeFaults(
  { target, facts }: Input<'take_faults'>,
  world: World,
  context: Context,
): Commit<readonly Fault[]> {
  const draft = new Draft(world, context)
  const applying: Fault[] = []
  for (const fault of world.rows('faults', 'newest')) {
    if (fault.target !== target || fault.times === 0 || !matches(fault.match, facts)) continue
    if (!applying.every((newer) => together(target, nameOf(newer), nameOf(fault)))) continue
    const matched = fault.matched + 1
    const inTurn = fault.every === undefined || matched % fault.every === 0
    const applies = inTurn && (fault.probability === undefined || context.random.draw() < fault.probability)
    const counted = draft.put('faults', {
      ...fault,
      matched,
      applied: fault.applied + (applies ? 1 : 0),
      ...(applies && fault.times !== undefined ? { times: fault.times - 1 } : {}),
    })
    if (applies) applying.push(counted)
  }
  return draft.commit(applying)
}

function nameOf({ target, fault }: Fault): string {
  return parseFault(target, fault)?.name ?? fault
}

function remove(table: 'rules' | 'faults', id: string | undefined, world: World, context: Context): Commit<null> {
  const draft = new Draft(world, context)
  if (id !== undefined && world.get(table, id) === undefined) {
    throw refuse('not_found', `There is no ${table.slice(0, -1)} ${id.slice(0, 64)}.`)
  }
  for (const row of [...world.rows(table)]) if (id === undefined || row.id === id) draft.delete(table, row.id)
  return draft.commit(null)
}

function counts({ times, every }: { times?: number; every?: number }) {
  return {
    ...(times === undefined ? {} : { times }),
    ...(every === undefined ? {} : { every }),
    matched: 0,
    applied: 0,
  }
}

function checkMatch(match: Rule['match'], known: readonly string[], values: Values): void {
  for (const [field, wanted] of Object.entries(match)) {
    if (!known.includes(field))
      throw refuse('bad_request', `match.${field}: unknown field. Known are ${known.join(', ')}.`)
    const some = values[field]
    if (some === undefined || some.some((value) => matches({ [field]: wanted }, { [field]: value }))) continue
    const shown = JSON.stringify(String(wanted).slice(0, 80))
    throw refuse('bad_request', `match.${field}: ${shown} is none of its values. They are ${some.join(', ')}.`)
  }
}
