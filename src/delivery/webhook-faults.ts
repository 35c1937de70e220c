// Converts the simulator's webhook faults to the changes of one attempt.
import { parseFault } from '../domain/fault-syntax.ts'
import type { FAULT_TARGETS, Fault } from '../domain/faults.ts'

type Name = (typeof FAULT_TARGETS.webhook)[number]

/** The form of each fault in `AttemptFaults`: a switch, a number, or a part of `skew`. */
const FORMS = {
  // These change the headers or the bytes.
  tamper: 'switch',
  wrong_secret: 'switch',
  v1_only: 'switch',
  unsigned: 'switch',
  stale: 'skew',
  future: 'skew',
  // An event name that no version of the API defines, with a valid signature.
  unknown_event: 'switch',
  // The same JSON with different spaces and escapes, with a valid signature.
  reserialised: 'switch',
  // These decide whether, when and how many times the webhook is sent. `delay` is in ms of the sandbox's clock, `duplicate` is the number of extra
  // copies. `reorder` waits for the receiver's next attempt, `hold` until the fault is removed.
  drop: 'switch',
  duplicate: 'number',
  delay: 'number',
  reorder: 'switch',
  hold: 'switch',
  // The response counts as received after the deadline.
  late_response: 'switch',
  // The API responds only after the attempt has ended. The attempt itself is unchanged.
  before_response: 'switch',
} as const satisfies Record<Name, 'switch' | 'number' | 'skew'>

type FaultsOfForm<Form extends string> = { [N in Name]: (typeof FORMS)[N] extends Form ? N : never }[Name]

/** The changes to one attempt. `names` are the faults as the user wrote them, for the delivery log. */
export type AttemptFaults = {
  readonly names: readonly string[]
  /** The ids of those faults. If one is removed, the attempts that it deferred are sent. */
  readonly ids: readonly string[]
  /** The offset of the signed time, in ms. Negative values are in the past. */
  readonly skew: number
} & { readonly [N in FaultsOfForm<'switch'>]: boolean } & { readonly [N in FaultsOfForm<'number'>]: number }

export const NO_FAULTS: AttemptFaults = attemptFaults([], [], new Map())

/** Combines several faults. If two have the same name, the newer one counts. `faults` are newest first. */
export function selectFaults(faults: readonly Pick<Fault, 'id' | 'fault'>[]): AttemptFaults {
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
  return attemptFaults(names, ids, values)
}

function attemptFaults(
  names: readonly string[],
  ids: readonly string[],
  values: ReadonlyMap<string, number>,
): AttemptFaults {
  const entries = Object.entries(FORMS).map(([name, form]) => [
    name,
    form === 'switch' ? values.has(name) : (values.get(name) ?? 0),
  ])
  const skew = (values.get('future') ?? 0) - (values.get('stale') ?? 0)
  const { stale, future, ...fields } = Object.fromEntries(entries)
  return { names, ids, skew, ...fields }
}
