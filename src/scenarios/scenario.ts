// A scenario: a list of steps as data. Each step is an operation with its expected result.
import * as z from 'zod'
import { quoteText } from '../domain/characters.ts'
import { closestName } from '../domain/closest-name.ts'
import { isJsonObject, isTooDeep, MAX_DEPTH } from '../domain/json-values.ts'
import { expected } from '../domain/zod-messages.ts'
import { OPERATIONS } from './operations.ts'
import { findReferences } from './references.ts'

const OBJECT = 'an object of fields'
/** Keeps the object unchanged, because a record schema would drop `__proto__`. */
const fields = z.custom<Record<string, unknown>>(isJsonObject, { error: OBJECT }).meta({ type: 'object' })
const names = Object.keys(OPERATIONS)
const OPERATION = `an operation such as ${names[0]}`

const step = z.strictObject({
  /** The name for references in later steps, such as `${pay.payment.id}`. */
  id: z
    .string({ error: 'a name' })
    .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'a name of letters and digits')
    .optional(),
  do: z.string({ error: OPERATION }).refine((name) => Object.hasOwn(OPERATIONS, name), {
    error: ({ input }) => `${OPERATION}, not ${quoteText(String(input))}${suggestion(String(input))}`,
  }),
  with: fields.optional(),
  /** Dotted paths of the result and their values. An error is at `error.code` and `error.status`. */
  expect: fields.optional(),
})

const scenario = z.strictObject({
  $schema: z.string().optional(),
  name: z.string({ error: 'a name' }).min(1, 'a name'),
  description: z.string({ error: 'a string' }).optional(),
  /** The case of a finding of `psp audit --explore`, which `--replay` reads. */
  finding: fields.optional(),
  steps: z.array(step, { error: 'a list of steps' }).min(1, 'at least one step'),
})

export type Scenario = z.output<typeof scenario>
export type Step = Scenario['steps'][number]

/** The value is not a valid scenario. The message names the invalid part. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
}

/** @throws ScenarioError */
export function parseScenario(value: unknown): Scenario {
  if (isTooDeep(value)) throw new ScenarioError(`scenario: nested more than ${MAX_DEPTH} levels deep.`)
  const result = scenario.safeParse(value, { error: expected })
  if (!result.success) {
    const issue = result.error.issues[0]
    throw new ScenarioError(`${formatPath(issue?.path ?? [])}: expected ${issue?.message ?? 'a scenario'}.`)
  }
  const seen = new Set<string>()
  for (const [at, step] of result.data.steps.entries()) {
    checkFields(step, at)
    checkReferences(step, at, seen)
    const id = step.id ?? String(at + 1)
    if (seen.has(id)) throw new ScenarioError(`steps: two steps have the id ${id}.`)
    seen.add(id)
  }
  return result.data
}

/** Rejects unknown fields. The public API ignores them, but in a scenario they are typos. */
function checkFields(step: Step, at: number): void {
  const known = OPERATIONS[step.do]?.fields
  const unknown = known && Object.keys(step.with ?? {}).find((name) => !known.includes(name))
  if (known === undefined || unknown === undefined) return
  const allowed = known.length === 0 ? 'It has no fields.' : `Its fields are ${known.join(', ')}.`
  throw new ScenarioError(`steps[${at}].with.${unknown}: ${step.do} has no such field. ${allowed}`)
}

/** @param earlier the ids of the steps before this one. The id of a step without one is its number. */
function checkReferences(step: Step, at: number, earlier: ReadonlySet<string>): void {
  for (const part of ['with', 'expect'] as const) {
    for (const { text, id } of findReferences(step[part])) {
      const refersToItself = part === 'expect' && id === (step.id ?? String(at + 1))
      if (refersToItself || earlier.has(id)) continue
      const ids = earlier.size === 0 ? '' : ` Earlier steps are ${[...earlier].join(', ')}.`
      throw new ScenarioError(`steps[${at}].${part}: ${text} does not refer to an earlier step.${ids}`)
    }
  }
}

function suggestion(name: string): string {
  const near = closestName(name, names)
  return near === undefined ? '' : ` (did you mean ${near}?)`
}

/** Formats a path as `steps[1].do`. */
function formatPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'scenario'
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}
