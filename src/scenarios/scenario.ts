// A scenario: a story in steps, as data. Each step is one operation, with what must come of it.
import * as z from 'zod'
import { OPERATIONS } from './operations.ts'

const OBJECT = 'an object of fields'
const fields = z.record(z.string(), z.unknown(), { error: OBJECT })
const names = Object.keys(OPERATIONS)

const step = z.strictObject({
  /** How later steps refer back to it: `${pay.payment.id}`. */
  id: z
    .string({ error: 'a name' })
    .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'a name of letters and digits')
    .optional(),
  do: z.string({ error: `one of ${names.join(', ')}` }).refine((name) => Object.hasOwn(OPERATIONS, name), {
    error: `one of ${names.join(', ')}`,
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
export function readScenario(value: unknown): Scenario {
  const result = scenario.safeParse(value)
  if (!result.success) {
    const issue = result.error.issues[0]
    const keys = issue?.code === 'unrecognized_keys' ? ` (${issue.keys.join(', ')})` : ''
    throw new ScenarioError(`${pathText(issue?.path ?? [])}: expected ${issue?.message ?? 'a scenario'}${keys}.`)
  }
  const seen = new Set<string>()
  for (const { id } of result.data.steps) {
    if (id !== undefined && seen.has(id)) throw new ScenarioError(`steps: two are called ${id}.`)
    if (id !== undefined) seen.add(id)
  }
  return result.data
}

/** `steps[1].do`. */
function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'scenario'
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}
