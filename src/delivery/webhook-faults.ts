// Converts the simulator's webhook faults to a plan for one attempt.
import { parseFault } from '../domain/fault-syntax.ts'
import type { FAULT_TARGETS, Fault } from '../domain/faults.ts'

type Name = (typeof FAULT_TARGETS.webhook)[number]

/**
 * The module that handles each fault, and its form in the plan: a switch, a number, or a part of `skew`. The compiler
 * reports a fault that is missing here.
 */
const HANDLERS = {
  // Headers and bytes.
  tamper: { in: 'prepare-request.ts', as: 'switch' },
  wrong_secret: { in: 'prepare-request.ts', as: 'switch' },
  v1_only: { in: 'prepare-request.ts', as: 'switch' },
  unsigned: { in: 'prepare-request.ts', as: 'switch' },
  stale: { in: 'prepare-request.ts', as: 'skew' },
  future: { in: 'prepare-request.ts', as: 'skew' },
  // An event name that no version of the interface lists, with a valid signature.
  unknown_event: { in: 'prepare-request.ts', as: 'switch' },
  // The same JSON with other spaces and escapes, with a valid signature.
  reserialised: { in: 'prepare-request.ts', as: 'switch' },
  // When, how many times and with what result. `delay` is in ms of the sandbox's clock, `duplicate` is the number of extra copies.
  drop: { in: 'attempts.ts', as: 'switch' },
  duplicate: { in: 'attempts.ts', as: 'number' },
  delay: { in: 'deferred-attempts.ts', as: 'number' },
  reorder: { in: 'deferred-attempts.ts', as: 'switch' },
  hold: { in: 'deferred-attempts.ts', as: 'switch' },
  // The response counts as received after the deadline.
  late_response: { in: 'attempts.ts', as: 'switch' },
  // The API waits for the attempt, which is otherwise ordinary.
  before_response: { in: '../http/before-response.ts', as: 'switch' },
} as const satisfies Record<Name, { readonly in: string; readonly as: 'switch' | 'number' | 'skew' }>

type HandledAs<As extends string> = { [N in Name]: (typeof HANDLERS)[N]['as'] extends As ? N : never }[Name]

/** The changes to one attempt. `names` are the faults as the user wrote them, for the delivery log. */
export type FaultPlan = {
  readonly names: readonly string[]
  /** The ids of those faults. If one is removed, the attempts that it deferred are sent. */
  readonly ids: readonly string[]
  /** The offset of the signed time, in ms. Negative values are in the past. */
  readonly skew: number
} & { readonly [N in HandledAs<'switch'>]: boolean } & { readonly [N in HandledAs<'number'>]: number }

export const NO_FAULTS: FaultPlan = planOf([], [], new Map())

/** Combines several faults. If two have the same name, the newer one counts. `faults` are newest first. */
export function planFaults(faults: readonly Pick<Fault, 'id' | 'fault'>[]): FaultPlan {
  if (faults.length === 0) return NO_FAULTS
  const values = new Map<string, number>()
  const names: string[] = []
  const ids: string[] = []
  for (const { id, fault } of faults) {
    const parsed = parseFault('webhook', fault)
    if (parsed === undefined || values.has(parsed.name)) continue
    values.set(parsed.name, parsed.value ?? 0)
    names.push(fault)
    ids.push(id)
  }
  return planOf(names, ids, values)
}

function planOf(names: readonly string[], ids: readonly string[], values: ReadonlyMap<string, number>): FaultPlan {
  const entries = Object.entries(HANDLERS).map(([name, { as }]) => [
    name,
    as === 'switch' ? values.has(name) : (values.get(name) ?? 0),
  ])
  const skew = (values.get('future') ?? 0) - (values.get('stale') ?? 0)
  const { stale, future, ...fields } = Object.fromEntries(entries)
  return { names, ids, skew, ...fields }
}
