// Adds and removes rules and faults, and counts how often faults were applied.

import { refuse } from '../domain/errors.ts'
import { explainInvalidFault, parseFault } from '../domain/fault-syntax.ts'
import { canCombine, countMatch, type Fault, isNthMatch, matches, type Rule } from '../domain/faults.ts'
import { faultMatchIssue, ruleMatchIssue } from '../domain/match-fields.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { explainInvalidPlan, parsePlan } from '../domain/simulator-plan.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import { requireRow } from './require-row.ts'
import type { World } from './world.ts'

export function addRule(command: Input<'add_rule'>, world: World, context: Context): Commit<Rule> {
  const draft = new Draft(world, context)
  const plans = typeof command.plan === 'string' ? [command.plan] : command.plan
  if (plans.length === 0) throw refuse('bad_request', 'plan: a sequence needs at least one plan.')
  for (const plan of plans) {
    if (parsePlan(plan) === undefined) {
      throw refuse('bad_request', `plan: ${explainInvalidPlan(plan)}`)
    }
  }
  refuseMatch(ruleMatchIssue(command.match ?? {}))
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
  return draft.commit(putFault(draft, command))
}

export function replaceFaults(
  { remove, add }: Input<'replace_faults'>,
  world: World,
  context: Context,
): Commit<readonly Fault[]> {
  const draft = new Draft(world, context)
  for (const id of remove) draft.delete('faults', id)
  return draft.commit(add.map((fault) => putFault(draft, fault)))
}

export function removeRules(which: Input<'remove_rules'>, world: World, context: Context): Commit<null> {
  return remove('rules', which, world, context)
}

export function removeFaults(which: Input<'remove_faults'>, world: World, context: Context): Commit<null> {
  return remove('faults', which, world, context)
}

/**
 * Returns the faults that apply to this request, newest first. Each match is counted, even if the fault does not apply
 * to it. A fault that cannot be combined with a newer one that applies is skipped without a count.
 */
export function consumeFaults(
  { target, facts }: Input<'consume_faults'>,
  world: World,
  context: Context,
): Commit<readonly Fault[]> {
  const draft = new Draft(world, context)
  const applied: Fault[] = []
  for (const fault of world.rows('faults', 'newest')) {
    if (fault.target !== target || fault.times === 0 || !matches(fault.match, facts)) continue
    if (!applied.every((newer) => canCombine(target, nameOf(newer), nameOf(fault)))) continue
    const applies = isNthMatch(fault) && (fault.probability === undefined || context.random.draw() < fault.probability)
    const counted = draft.put('faults', countMatch(fault, applies))
    if (applies) applied.push(counted)
  }
  return draft.commit(applied)
}

function putFault(draft: Draft, { target, fault, match = {}, probability, ...limits }: Input<'add_fault'>): Fault {
  if (parseFault(target, fault) === undefined) {
    throw refuse('bad_request', `fault: ${explainInvalidFault(target, fault)}`)
  }
  refuseMatch(faultMatchIssue(target, match))
  return draft.put('faults', {
    id: `flt_${draft.context.random.token(12)}`,
    created_at: draft.now,
    match,
    ...counts(limits),
    target,
    fault,
    ...omitUndefined({ probability }),
  })
}

function nameOf({ target, fault }: Fault): string {
  return parseFault(target, fault)?.name ?? fault
}

function remove(
  table: 'rules' | 'faults',
  { id, shop_id }: Input<'remove_rules'>,
  world: World,
  context: Context,
): Commit<null> {
  const draft = new Draft(world, context)
  if (id !== undefined) requireRow(world, table, id)
  for (const row of [...world.rows(table)]) {
    const isWanted = (id ?? row.id) === row.id && (shop_id === undefined || row.match['shop_id'] === shop_id)
    if (isWanted) draft.delete(table, row.id)
  }
  return draft.commit(null)
}

function counts({ times, every }: { times?: number; every?: number }) {
  return {
    ...omitUndefined({ times, every }),
    matched: 0,
    applied: 0,
  }
}

function refuseMatch(why: string | undefined): void {
  if (why !== undefined) throw refuse('bad_request', `match.${why}`)
}
