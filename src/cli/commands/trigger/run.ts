import { quoteText } from '../../../domain/characters.ts'
import { closestEvent, closestName } from '../../../domain/closest-name.ts'
import { WEBHOOK_EVENTS, type WebhookEventName } from '../../../domain/events.ts'
import type { Run } from '../../command.ts'
import { usageError } from '../../failure.ts'
import { rows } from '../../help/help.ts'
import { type Detail, printDetails, printResult } from '../../output/result.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import { argumentHint } from '../../parsing/parser-errors.ts'
import type { Session } from '../../session.ts'
import type { TRIGGER_ARGUMENTS, TRIGGER_FLAGS } from '../trigger.ts'
import { printDeliveries, readScenarioFile, settledDeliveries, triggerScenario } from './scenario.ts'

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
      `There is no event or scenario ${quoteText(wanted)}.`,
      argumentHint('psp trigger', [wanted]) ??
        (near === undefined ? '`psp trigger --list` shows them.' : `Did you mean ${near}?`),
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
  const { client, kind } = await session.target('folder')
  const objects = (await client.control.trigger({
    event,
    set: Object.fromEntries(flags.set),
    shop_id: flags.shop,
  })) as TriggeredObjects
  const code = await printResult(out, objects, () => printDetails(out, detailsOf(event, objects)))
  // Without a server, no webhook is sent. The responses of receivers are printed as notes.
  if (out.json || out.quiet || kind === 'embedded') return code
  const ids = [objects.payment_id, objects.payout_id].filter((id) => id !== undefined)
  printDeliveries(await settledDeliveries(ids, session), out)
  return code
}

interface TriggeredObjects {
  readonly shop_id?: string
  readonly payment_id?: string
  readonly refund_id?: string
  readonly payout_id?: string
  /** null: the event has not happened yet. */
  readonly event_id?: string | null
  readonly event_ids?: readonly string[]
}

function detailsOf(event: WebhookEventName, objects: TriggeredObjects): Detail[] {
  const others = (objects.event_ids ?? []).filter((id) => id !== objects.event_id)
  return [
    ['event', [event, objects.event_id ?? ''].join(' ').trimEnd()],
    ['earlier events', others.join(', ')],
    ['payment', objects.payment_id],
    ['refund', objects.refund_id],
    ['payout', objects.payout_id],
    ['shop', objects.shop_id],
  ]
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
