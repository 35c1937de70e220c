// The file of a finding: the smallest case, and the violation that it showed.
import * as z from 'zod'
import { isTooDeep, MAX_DEPTH } from '../domain/json-values.ts'
import { expected } from '../domain/zod-messages.ts'
import type { Case } from './evaluate-case.ts'
import type { Finding } from './finding.ts'
import { scenarioSteps } from './finding-scenario.ts'
import { ORDER_NAMES } from './story.ts'
import { legalize } from './walk-story.ts'

const name = z.string({ error: 'a name' }).min(1, 'a name')
const amount = z.int({ error: 'an amount in minor units' }).min(1, 'an amount in minor units')
const settled = z.enum(['succeeded', 'failed'], { error: 'succeeded or failed' })

const step = z.discriminatedUnion(
  'do',
  [
    z.strictObject({
      do: z.literal('create'),
      payment: name,
      order: z.enum(ORDER_NAMES, { error: 'main or unrelated' }),
    }),
    z.strictObject({ do: z.enum(['pay', 'decline', 'expire', 'cancel']), payment: name }),
    z.strictObject({
      do: z.literal('refund'),
      payment: name,
      refund: name,
      percent: z.number({ error: 'a percentage' }).min(0).max(100),
      result: z.enum(['succeeded', 'failed', 'pending'], { error: 'succeeded, failed or pending' }),
    }),
    z.strictObject({ do: z.literal('settle'), refund: name, result: settled }),
    z.strictObject({ do: z.literal('payout'), payout: name, result: settled }),
  ],
  { error: 'a step of a story' },
)

const delivery = z.strictObject({
  event: name,
  copies: z.int({ error: 'a number of copies' }).min(1).max(4),
  response_lost: z.literal(true).optional(),
})

const findingFile = z.object({
  finding: z.strictObject({
    id: name,
    title: name,
    probe: z.strictObject({ label: name, per_order: z.boolean({ error: 'true or false' }) }).optional(),
    story: z.strictObject({
      amounts: z.strictObject({ main: amount, unrelated: amount }),
      steps: z.array(step, { error: 'a list of steps' }).min(1, 'at least one step'),
    }),
    schedule: z.array(z.array(delivery).min(1), { error: 'a list of rounds' }).min(1, 'at least one round'),
    resends_all: z.boolean({ error: 'true or false' }),
  }),
})

/** The file does not contain a finding. The message names the invalid part. */
export class FindingFileError extends Error {
  override readonly name = 'FindingFileError'
}

export function findingDocument({ id, title, fix, probe, case: { story, schedule, resendsAll } }: Finding): object {
  const shownBy = probe && { probe: { label: probe.label, per_order: probe.isPerOrder } }
  const finding = { id, title, ...shownBy, story, schedule, resends_all: resendsAll }
  return { name: `${id}: ${title}`, description: fix, steps: scenarioSteps({ story, schedule, resendsAll }), finding }
}

/** The case of a file, and the violation that it showed. */
export interface SavedCase extends Case, Pick<Finding, 'title' | 'probe'> {
  readonly id: string
}

/** @throws FindingFileError */
export function parseFinding(value: unknown): SavedCase {
  if (isTooDeep(value)) throw new FindingFileError(`the file: nested more than ${MAX_DEPTH} levels deep.`)
  const result = findingFile.safeParse(value, { error: expected })
  if (result.success) {
    const { resends_all: resendsAll, probe, ...rest } = result.data.finding
    const shownBy = probe && { probe: { label: probe.label, isPerOrder: probe.per_order } }
    const finding = { ...rest, ...shownBy, resendsAll } as SavedCase
    if (legalize(finding.story).events.length > 0) return finding
    throw new FindingFileError('finding.story.steps: expected a step that sends an event.')
  }
  const [issue] = result.error.issues
  throw new FindingFileError(`${issue?.path.join('.') || 'the file'}: expected ${issue?.message ?? 'a finding'}.`)
}
