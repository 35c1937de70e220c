import { closestEvent, closestName } from '../../../domain/closest-name.ts'
import { WEBHOOK_EVENTS, type WebhookEventName } from '../../../domain/events.ts'
import type { Run } from '../../command.ts'
import { usageError } from '../../failure.ts'
import { rows } from '../../help/help.ts'
import { printDetails, printResult } from '../../output/result.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import type { TRIGGER_ARGUMENTS, TRIGGER_FLAGS } from '../trigger.ts'
import { readScenarioFile, triggerScenario } from './scenario.ts'

export const run: Run<typeof TRIGGER_ARGUMENTS, typeof TRIGGER_FLAGS> = async ({ args, flags, session }) => {
  const { findShippedScenario, listShippedScenarios } = await import('../../../scenarios/shipped-scenarios.ts')
  const names = listShippedScenarios()
  if (flags.list) return await list(session, names)
  const wanted = args.event
  if (wanted === undefined) throw usageError('Name an event or a scenario.', '`psp trigger --list` shows them.')
  const event = WEBHOOK_EVENTS.find((name) => name === wanted)
  if (event !== undefined) return await triggerEvent(event, flags, session)
  if (flags.set.length > 0)
    throw usageError('--set works only for events; a scenario file contains its fields.', 'Omit it, or edit the file.')
  const shipped = findShippedScenario(wanted)
  if (shipped !== undefined) return await triggerScenario(shipped, session)
  if (!isFile(wanted)) {
    const known = [...WEBHOOK_EVENTS, ...names]
    const matching = known.filter((name) => name.includes(wanted)).join(' or ')
    const near = matching === '' ? (closestEvent(wanted) ?? closestName(wanted, names)) : matching
    throw usageError(
      `There is no event or scenario ${JSON.stringify(wanted)}.`,
      near === undefined ? '`psp trigger --list` shows them.' : `Did you mean ${near}?`,
    )
  }
  return await triggerScenario(await readScenarioFile(wanted, session), session)
}

/** Returns whether the text is `-`, a path, or a name with a file extension. */
function isFile(text: string): boolean {
  return text === '-' || /[/\\]|\.(json|jsonc|ya?ml|txt)$/i.test(text)
}

async function triggerEvent(
  event: WebhookEventName,
  flags: FlagValues<typeof TRIGGER_FLAGS>,
  session: Session,
): Promise<number> {
  const { out } = session
  const { client } = await session.target('folder')
  const made = await client.control.trigger({ event, set: Object.fromEntries(flags.set), shop_id: flags.shop })
  return await printResult(out, made, () =>
    printDetails(
      out,
      Object.entries(made)
        .filter(([name]) => !isRepeatedId(name, made))
        .map(([name, value]) => [name.replaceAll('_', ' '), textOf(value)] as const),
    ),
  )
}

/** Returns whether the field is `event_ids` and contains only the `event_id`, which is printed already. */
function isRepeatedId(name: string, made: { readonly event_id?: unknown; readonly event_ids?: unknown }): boolean {
  return name === 'event_ids' && textOf(made.event_ids) === textOf(made.event_id)
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}

async function list({ out }: Session, names: readonly string[]): Promise<number> {
  const { findShippedScenario } = await import('../../../scenarios/shipped-scenarios.ts')
  const scenarios = names.map((name) => ({ name, description: findShippedScenario(name)?.description ?? '' }))
  return await printResult(out, { events: WEBHOOK_EVENTS, scenarios }, () => {
    out.line(out.paint.bold('Events'))
    for (const event of WEBHOOK_EVENTS) out.line(`  ${event}`)
    out.line(out.paint.bold('Scenarios'))
    const layout = { paint: out.paint, columns: out.columns ?? Number.MAX_SAFE_INTEGER }
    const pairs = scenarios.map(({ name, description }) => [name, description] as const)
    for (const line of rows(pairs, layout)) out.line(line)
  })
}
