// What the simulator's webhook faults do to one attempt, as data.
import { parseFault } from '../domain/fault-forms.ts'
import type { Fault } from '../domain/faults.ts'

/** The changes to one attempt. `names` are the faults as they were written, for the delivery log. */
export interface FaultPlan {
  readonly names: readonly string[]
  /** Ids of those faults: what they hold goes on when they are removed. */
  readonly ids: readonly string[]
  readonly tamper: boolean
  readonly wrong_secret: boolean
  readonly v1_only: boolean
  readonly unsigned: boolean
  readonly drop: boolean
  readonly reorder: boolean
  readonly before_response: boolean
  /** The answer is taken as one that came after the deadline. */
  readonly late: boolean
  /** The event has a name that no version of the interface lists; signed rightly. */
  readonly unknown_event: boolean
  /** The same JSON, spaced and escaped otherwise; signed rightly. */
  readonly respelled: boolean
  /** Copies more. */
  readonly duplicate: number
  /** ms of the sandbox's clock. */
  readonly delay: number
  /** ms by which the signed time is off: negative in the past. */
  readonly skew: number
}

export const NO_FAULTS: FaultPlan = {
  names: [],
  ids: [],
  tamper: false,
  wrong_secret: false,
  v1_only: false,
  unsigned: false,
  drop: false,
  reorder: false,
  before_response: false,
  late: false,
  unknown_event: false,
  respelled: false,
  duplicate: 0,
  delay: 0,
  skew: 0,
}

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
  return {
    names,
    ids,
    tamper: values.has('tamper'),
    wrong_secret: values.has('wrong_secret'),
    v1_only: values.has('v1_only'),
    unsigned: values.has('unsigned'),
    drop: values.has('drop'),
    reorder: values.has('reorder'),
    before_response: values.has('before_response'),
    late: values.has('late'),
    unknown_event: values.has('unknown_event'),
    respelled: values.has('respelled'),
    duplicate: values.get('duplicate') ?? 0,
    delay: values.get('delay') ?? 0,
    skew: (values.get('future') ?? 0) - (values.get('stale') ?? 0),
  }
}
