// Judges whether the handler accepted each event, and whether it still runs.
import type { HandlerResponse } from '../audit/ports.ts'
import { fixForStatus } from '../domain/remediation.ts'
import { isHung, isRefusedConnection } from './broken-run.ts'
import type { SentMessage } from './run-schedule.ts'
import type { StoryRun } from './story-run.ts'
import type { Violation } from './violation.ts'

export function judgeAvailability(storyRun: StoryRun): Violation | undefined {
  const { broken, refused } = storyRun.result
  if (broken === 'gone') return judgeCrash(storyRun)
  if (broken === 'hung') return judgeHang(storyRun)
  const [first] = refused
  return first === undefined ? undefined : judgeRefusal(storyRun, first)
}

const STOPPED = 'A handler that stops misses every event until it is started again.'
const KEEP_RUNNING =
  'Read the error in the log of the handler. Catch the errors of one event, respond 500 to it, and keep running.'

const CRASHES_ON = 'crashes on'

/** Returns whether a lost connection shows on which event the handler crashed. */
export function isCrashOnEvent(violation: Violation | undefined): boolean {
  return violation?.cause.startsWith(`${availabilityViolation(CRASHES_ON, '', '').cause} `) === true
}

/** A crash shows in the last two rounds: a message is lost, and then a connection is refused. */
function judgeCrash({ enacted, result }: StoryRun): Violation {
  const lost = result.rounds
    .slice(-2)
    .map(({ messages }) => messages.filter(isConnectionLost))
    .findLast((attempts) => attempts.length > 0)
  const last = result.rounds
    .flatMap(({ messages }) => messages)
    .findLast(({ response }) => response.status !== undefined)
  const crash = { expected: '2xx, and a handler that keeps running', why: STOPPED, fix: KEEP_RUNNING }
  if (lost !== undefined) {
    // Any of the messages that were lost at the same time may be the cause.
    const kind = [...new Set(lost.map(({ event }) => kindOf(enacted, event)))].join(' or ')
    const isBegun = lost.some(({ response }) => response.status !== undefined)
    const got = `the connection was closed ${isBegun ? 'before the response was complete' : 'without a response'}, and nothing listens any more`
    return { ...availabilityViolation(`${CRASHES_ON} ${kind}`, `The handler crashed on ${kind}.`, got), ...crash }
  }
  if (last !== undefined) {
    const kind = kindOf(enacted, last.event)
    const got = `${last.response.status}, and then nothing listens any more`
    return {
      ...availabilityViolation(`crashes after ${kind}`, `The handler crashed after it responded to ${kind}.`, got),
      ...crash,
    }
  }
  const title = 'The handler stopped between two stories.'
  return { ...availabilityViolation('stops', title, 'nothing listens any more'), ...crash }
}

function isConnectionLost({ response }: SentMessage): boolean {
  return response.error !== undefined && !isRefusedConnection(response) && !isHung(response)
}

function judgeHang({ enacted, result }: StoryRun): Violation {
  const hung = result.rounds.flatMap(({ messages }) => messages).find(({ response }) => isHung(response))
  const kind = kindOf(enacted, hung?.event ?? '')
  const isBegun = hung?.response.status !== undefined
  return {
    ...availabilityViolation(
      `hangs ${kind}`,
      isBegun ? `The handler does not finish its response to ${kind}.` : `The handler does not respond to ${kind}.`,
      textOf(hung?.response),
    ),
    expected: '2xx in time',
    why: 'An event without a response in time counts as failed, and is sent again.',
    fix: isBegun ? END_RESPONSE : RESPOND,
  }
}

const RESPOND =
  'Respond first and work afterwards. Look for a lock that is never released, and for a path without a response.'
const END_RESPONSE = 'End the response: res.end() in Node. A stream that stays open counts as no response.'

function judgeRefusal({ enacted, result }: StoryRun, refused: string): Violation {
  const attempts = result.rounds.flatMap((round) => round.messages)
  const last = attempts.findLast(({ event }) => event === refused)?.response
  const kind = kindOf(enacted, refused)
  const said = `${textOf(last)}${last?.text ? `: ${last.text.slice(0, 120)}` : ''}`
  const verb =
    last?.status === undefined
      ? 'closes the connection of'
      : last.error === undefined
        ? 'refuses'
        : 'breaks off its response to'
  const title = `The handler ${verb} ${kind} nine times.`
  const wasAbandoned = attempts.some(({ event, response }) => event === refused && response.code === 'ABANDONED')
  const fix = rejectionFix(last ?? {}, kind, wasAbandoned)
  return { ...availabilityViolation(`refuses ${kind} ${last?.status ?? ''}`, title, said), fix }
}

/**
 * Returns the fix for an event that the handler never accepts, by its last response.
 * @param wasAbandoned the response to an earlier message was lost on purpose, so the handler may know the event
 */
export function rejectionFix({ status, error }: Partial<HandlerResponse>, kind: string, wasAbandoned: boolean): string {
  if (status === undefined)
    return `Look for an exception or a stopped worker in the log of the handler, and in the log of any proxy in front of it. Respond to ${kind} in every case.`
  if (error !== undefined) return 'Send as many bytes as Content-Length announces, and end the response.'
  if (status >= 400 && status < 500 && wasAbandoned)
    return 'Respond 2xx to an event that was handled already. If a response is lost, the event is sent again.'
  if (status >= 500)
    return `Find the error of ${kind} in the log of the handler. If there is nothing to do for this event, respond 2xx.`
  if (status === 404 || status === 410)
    return 'Respond 2xx to an event that changes nothing. If the handler accepts only orders that it created, let it create them: add --order-url or --order-cmd.'
  if (status === 409 || status === 422 || status === 423 || status === 425)
    return `A handler may respond ${status} until it can use an event. Here it already has every earlier event, so respond 2xx to ${kind}, even if nothing changes.`
  if (status === 400 || status === 401 || status === 403)
    return `If the handler accepts other events, look for a check that rejects the content of ${kind}. If it accepts none, check the secret: run \`psp audit\` without --explore first.`
  return fixForStatus(status)
}

function textOf(response: HandlerResponse | undefined): string {
  const { status, error = 'no response' } = response ?? {}
  if (status === undefined) return error
  return response?.error === undefined ? String(status) : `${status}, but ${error.replace(/^The /, 'the ')}`
}

function kindOf({ events }: StoryRun['enacted'], key: string): string {
  return events.find((event) => event.key === key)?.name ?? key
}

function availabilityViolation(cause: string, title: string, got: string): Violation {
  return { oracle: 'availability', cause: `availability ${cause}`, title, got, expected: '2xx within nine attempts' }
}
