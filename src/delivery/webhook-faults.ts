// What the simulator's webhook faults do to one attempt, as data.
import { parseFault } from '../domain/fault-forms.ts'
import type { FAULT_TARGETS, Fault } from '../domain/faults.ts'

type Name = (typeof FAULT_TARGETS.webhook)[number]

/**
 * Who heeds each fault, and what becomes of it in the plan: a switch, a number of its own, or a part of `skew`. A name that
 * is new in the table is missing here: the compiler says so.
 */
const HEEDED = {
  // Headers and bytes.
  tamper: { in: 'prepare.ts', as: 'switch' },
  wrong_secret: { in: 'prepare.ts', as: 'switch' },
  v1_only: { in: 'prepare.ts', as: 'switch' },
  unsigned: { in: 'prepare.ts', as: 'switch' },
  stale: { in: 'prepare.ts', as: 'skew' },
  future: { in: 'prepare.ts', as: 'skew' },
  // The event has a name that no version of the interface lists; signed rightly.
  unknown_event: { in: 'prepare.ts', as: 'switch' },
  // The same JSON, spaced and escaped otherwise; signed rightly.
  reserialised: { in: 'prepare.ts', as: 'switch' },
  // When, how often and with what result; `delay` in ms of the sandbox's clock, `duplicate` in copies more.
  drop: { in: 'attempts.ts', as: 'switch' },
  duplicate: { in: 'attempts.ts', as: 'number' },
  delay: { in: 'attempts.ts', as: 'number' },
  reorder: { in: 'attempts.ts', as: 'switch' },
  // The answer is taken as one that came after the deadline.
  late_response: { in: 'attempts.ts', as: 'switch' },
  // The API waits for the attempt; the attempt itself is as any other.
  before_response: { in: '../http/before-response.ts', as: 'switch' },
} as const satisfies Record<Name, { readonly in: string; readonly as: 'switch' | 'number' | 'skew' }>

type Heeded<As extends string> = { [N in Name]: (typeof HEEDED)[N]['as'] extends As ? N : never }[Name]

/** The changes to one attempt. `names` are the faults as they were written, for the delivery log. */
export type FaultPlan = {
  readonly names: readonly string[]
  /** Ids of those faults: what they hold goes on when they are removed. */
  readonly ids: readonly string[]
  /** ms by which the signed time is off: negative in the past. */
  readonly skew: number
} & { readonly [N in Heeded<'switch'>]: boolean } & { readonly [N in Heeded<'number'>]: number }

export const NO_FAULTS: FaultPlan = planOf([], [], new Map())

/** Several faults work together; of two with the same name the newest counts. `faults`: newest first. */
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
  const heeded = Object.entries(HEEDED).map(([name, { as }]) => [
    name,
    as === 'switch' ? values.has(name) : (values.get(name) ?? 0),
  ])
  const skew = (values.get('future') ?? 0) - (values.get('stale') ?? 0)
  const { stale, future, ...fields } = Object.fromEntries(heeded)
  return { names, ids, skew, ...fields }
}
