// Writes the events of an order as a scenario, which an exploration can use as a story.

import type { Client } from '../../../client/client.ts'
import { paginate } from '../../../client/paginate.ts'
import { countOf } from '../../../domain/count-text.ts'
import { scenarioSteps } from '../../../explore/finding-scenario.ts'
import { countMessages, fitSchedule, type Schedule } from '../../../explore/schedule.ts'
import { eventKeyOf, type Story, type StoryStep } from '../../../explore/story.ts'
import { legalize } from '../../../explore/walk-story.ts'
import { type ReceivedWebhook, type RecordedStory, storyOfEvents } from '../../../recordings/story-of-events.ts'
import type { NoArguments, Run } from '../../command.ts'
import { CliError, EXIT_CODES, usageError } from '../../failure.ts'
import { requireReplaceable } from '../../input/files.ts'
import { printDetails, printResult } from '../../output/result.ts'
import { writeOutput } from '../../output/write-file.ts'
import { importedOrderId } from '../../target/resolve-objects.ts'
import type { EXPORT_FLAGS } from '../events.ts'

export const exportScenario: Run<NoArguments, typeof EXPORT_FLAGS> = async ({ flags, session }) => {
  const { scenario: file, order_id, imported, force } = flags
  if (file === undefined) throw usageError('--scenario is missing.', 'Name the file to write: --scenario story.json')
  if (order_id === undefined)
    throw usageError('--order is missing.', 'Name the order whose events to write: --order order-1001')
  requireReplaceable(file, { force, host: session.host })
  const { client } = await session.target('read')
  // If the import has masked the number of the order, the file contains only the pseudonym.
  const order = imported ? await importedOrderId(order_id, client, session) : order_id
  const webhooks = await (imported ? importedWebhooks : sandboxWebhooks)(client, order)
  const recorded = storyOfEvents(webhooks)
  if (recorded === undefined) throw noEvents(order, imported)
  const { document, remarks, isComplete } = documentOf(recorded, order)
  const exitCode = isComplete ? EXIT_CODES.done : EXIT_CODES.not_verified
  await writeOutput(file, `${JSON.stringify(document, null, 2)}\n`, session)
  const { out } = session
  for (const remark of remarks) out.warn(remark)
  // The scenario is on stdout, so nothing else is printed there.
  if (file === '-') return exitCode
  const { schedule } = document.finding
  const events = new Set(schedule.flat().map(({ event }) => event)).size
  const summary = { file, events, deliveries: countMessages(schedule) }
  await printResult(out, { ...summary, steps: document.steps.length, remarks }, () => {
    printDetails(out, [
      ['scenario', file],
      ['events', `${summary.events}, delivered ${countOf(summary.deliveries, 'time')}`],
      ['steps', document.steps.length],
    ])
    out.note(
      out.notePaint.dim(
        `Replay it with \`psp trigger ${file}\`, or vary it with \`psp audit URL --explore --story ${file}\`.`,
      ),
    )
  })
  return exitCode
}

function noEvents(order: string, imported: boolean): CliError {
  const [what, hint] = imported
    ? ['no imported event of a payment', '`psp events list --imported` shows the imported events.']
    : ['no event of a payment', 'Add --imported if its events come from a recording.']
  return new CliError('not_found', `The order ${order} has ${what}.`, hint)
}

async function importedWebhooks({ control }: Client, order_id: string): Promise<ReceivedWebhook[]> {
  const events = await paginate(control.importedEvents.list, { order_id })
  return events
    .reverse()
    .map(({ event_id, event, received_at, body }) => ({ event_id, event, at: Date.parse(received_at), body }))
}

/** One webhook per attempt at the first receiver. An event without attempts counts as received when it happened. */
async function sandboxWebhooks({ control }: Client, order_id: string): Promise<ReceivedWebhook[]> {
  const all = (await paginate(control.events.list)).reverse()
  const events = all.filter(({ data }) => data['order_id'] === order_id)
  const webhooks: ReceivedWebhook[] = []
  for (const { id, event, created_at, data } of events) {
    const deliveries = await paginate(control.deliveries.list, { event_id: id })
    const receiver = deliveries.at(-1)?.url
    const attempts = deliveries.filter(({ url }) => url === receiver).flatMap((delivery) => delivery.attempts)
    const times = attempts.length === 0 ? [created_at] : attempts.map(({ at }) => at)
    const body = JSON.stringify({ id, event, created_at, data })
    for (const time of times) webhooks.push({ event_id: id, event, at: Date.parse(time), body })
  }
  return webhooks
}

function documentOf({ story, schedule, failureCodes, remarks }: RecordedStory, order: string) {
  const { story: legal, events } = legalize(story, { allowsSecondPayment: true })
  const recorded = { story: legal, schedule: fitSchedule(schedule, events) }
  const title = `The events of the order ${order}`
  const document = {
    name: title,
    description: 'Performs the story of a recorded order, and delivers its events in the recorded order.',
    steps: scenarioSteps({ ...recorded, resendsAll: false }, { order, failureCodes }),
    finding: { id: 'recorded', title, ...recorded, resends_all: false },
  }
  const isPaidTwice = legal.steps.length > legalize(legal).story.steps.length
  const leftOut = leftOutSteps(story, legal)
  return {
    document,
    isComplete: leftOut.length === 0,
    remarks: [
      ...remarks,
      ...leftOut.map(
        (step) =>
          `The step "${eventKeyOf(step)}" and its event are left out, because the sandbox does not allow this step here.`,
      ),
      ...missingWebhookRemarks(events, schedule),
      ...(isPaidTwice ? [PAID_TWICE] : []),
    ],
  }
}

const PAID_TWICE =
  'The order is paid twice. `psp trigger` also pays it twice, but an exploration pays an order only once.'

function leftOutSteps(story: Story, legal: Story): StoryStep[] {
  const kept = new Set(legal.steps.map((step) => JSON.stringify(step)))
  return story.steps.filter((step) => !kept.has(JSON.stringify(step)))
}

function missingWebhookRemarks(keys: readonly string[], schedule: Schedule): string[] {
  const delivered = new Set(schedule.flat().map(({ event }) => event))
  return keys
    .filter((key) => !delivered.has(key))
    .map((key) => `The recording has no webhook about "${key}". This event is delivered at the end.`)
}
