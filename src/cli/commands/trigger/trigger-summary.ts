// Summarizes the effects of a scenario: the webhooks with their responses, and a clock that was moved.
import type { AttemptView, DeliveryView } from '../../../client/control-types.ts'
import type { StepReport } from '../../../scenarios/run-scenario.ts'
import type { Scenario } from '../../../scenarios/scenario.ts'
import type { Session } from '../../session.ts'

/** Number of checks for webhooks in flight, and the ms between them. */
const LOOKS = 20
const PAUSE = 100

/** Returns a line for each webhook with the response of the handler; empty if there are no receivers. */
export async function noteAnswers(steps: readonly StepReport[], session: Session): Promise<void> {
  const { out, host } = session
  const { client } = await session.target('folder')
  const ids = [...new Set(steps.flatMap(({ result }) => objectOf(result)))]
  const look = async () => {
    const pages = await Promise.all(ids.map((object_id) => client.control.deliveries.list({ object_id })))
    return pages.flatMap(({ items }) => [...items].reverse())
  }
  let found = await look()
  for (let at = 1; at < LOOKS && found.some(isUnderWay); at++) {
    await new Promise<void>((resolve) => void host.systemClock.setTimeout(resolve, PAUSE))
    found = await look()
  }
  for (const delivery of found) out.note(out.notePaint.dim(lineOf(delivery)))
}

/** Explains that the scenario moved the clock of the whole sandbox. */
export function noteClock({ steps }: Scenario, { out }: Session): void {
  const moves = steps
    .filter((step) => step.do === 'clock.advance')
    .map((step) => String(step.with?.['by'] ?? step.with?.['to'] ?? 'to the next due step'))
  if (moves.length === 0) return
  out.note(
    `The clock of the sandbox was moved ahead: ${moves.join(', then ')}. To go back, use \`psp store snapshot NAME\` before and \`psp store restore NAME\` after, or \`psp store reset --all\`.`,
  )
}

function objectOf(result: unknown): string[] {
  const { payment, payout, payment_id, payout_id } = (result ?? {}) as Made
  return [payment?.id, payout?.id, payment_id, payout_id].filter((id) => id !== undefined)
}

interface Made {
  readonly payment?: { readonly id: string }
  readonly payout?: { readonly id: string }
  readonly payment_id?: string
  readonly payout_id?: string
}

/** Whether the delivery is due or in flight. */
function isUnderWay({ status, attempts }: DeliveryView): boolean {
  return status === 'sending' || (status === 'waiting' && attempts.length === 0)
}

const answerOf = ({ status, error }: Pick<AttemptView, 'status' | 'error'>) => String(status ?? error ?? 'no response')

function lineOf({ event, url, status, attempts }: DeliveryView): string {
  const answers = attempts.map((attempt) => [attempt, ...(attempt.copies ?? [])].map(answerOf).join(' and a copy '))
  return `${event} to ${url}: ${answers.length === 0 ? 'not sent yet' : answers.join(', then ')} (${status})`
}
