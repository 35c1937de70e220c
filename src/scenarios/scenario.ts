// A scenario: a story in steps, as data. Each step is one operation, with what must come of it.
import { closest } from 'fastest-levenshtein'
import * as z from 'zod'
import { expected } from '../domain/expected.ts'
import { OPERATIONS } from './operations.ts'
import { findReferences } from './references.ts'

const OBJECT = 'an object of fields'
/** As it came: a record schema would drop `__proto__`. */
const fields = z.custom<Record<string, unknown>>(isObject, { error: OBJECT }).meta({ type: 'object' })
const names = Object.keys(OPERATIONS)
const OPERATION = `an operation such as ${names[0]}`

const step = z.strictObject({
  /** How later steps refer back to it: `${pay.payment.id}`. */
  id: z
    .string({ error: 'a name' })
    .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'a name of letters and digits')
    .optional(),
  do: z.string({ error: OPERATION }).refine((name) => Object.hasOwn(OPERATIONS, name), {
    error: ({ input }) => `${OPERATION}, not ${quoteValue(input)} (did you mean ${closest(String(input), names)}?)`,
  }),
  with: fields.optional(),
  /** Dotted paths of the result and their values; a refusal is at `error.code` and `error.status`. */
  expect: fields.optional(),
})

const scenario = z.strictObject({
  $schema: z.string().optional(),
  name: z.string({ error: 'a name' }).min(1, 'a name'),
  description: z.string({ error: 'a text' }).optional(),
  steps: z.array(step, { error: 'a list of steps' }).min(1, 'at least one step'),
})

export type Scenario = z.output<typeof scenario>
export type Step = Scenario['steps'][number]

/** The file is no scenario; the message names the place. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
}

/** @throws ScenarioError */
export function parseScenario(value: unknown): Scenario {
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
    if (seen.has(id)) throw new ScenarioError(`steps: two are called ${id}.`)
    seen.add(id)
  }
  return result.data
}

/** The public API looks over fields it does not know: in a scenario each of them is a slip. */
function checkFields(step: Step, at: number): void {
  const known = OPERATIONS[step.do]?.fields
  const unknown = known && Object.keys(step.with ?? {}).find((name) => !known.includes(name))
  if (known === undefined || unknown === undefined) return
  const has = known.length === 0 ? 'it takes no fields' : `known are ${known.join(', ')}`
  throw new ScenarioError(`steps[${at}].with.${unknown}: ${step.do} knows no such field; ${has}.`)
}

/** @param earlier ids of the steps before this one; those without a name go by their number */
function checkReferences(step: Step, at: number, earlier: ReadonlySet<string>): void {
  for (const part of ['with', 'expect'] as const) {
    for (const { text, id } of findReferences(step[part])) {
      const own = part === 'expect' && id === (step.id ?? String(at + 1))
      if (own || earlier.has(id)) continue
      const near = earlier.size === 0 ? '' : ` Before it there are ${[...earlier].join(', ')}.`
      throw new ScenarioError(`steps[${at}].${part}: ${text} refers to a step that is not there before it.${near}`)
    }
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function quoteValue(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 60))
}

/** `steps[1].do`. */
function formatPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'scenario'
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}
