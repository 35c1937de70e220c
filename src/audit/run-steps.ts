// Sends the steps of a check one after another, and reads each probe before and after.

import { isAccepted } from '../domain/http-response.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import type { Check, Message, MessageValues } from './check.ts'
import type { Effect, Subject } from './effect.ts'
import type { ProbeResult } from './judge-effects.ts'
import type { Page } from './page.ts'
import {
  type HandlerResponse,
  type Probe,
  ProbeError,
  type Reading,
  type Send,
  TargetUnreachableError,
} from './ports.ts'
import { sentIdsIn } from './sent-ids.ts'

export interface StepsResult {
  readonly responses: readonly HandlerResponse[]
  /** The result of each probe, or `undefined` if the probes failed together with the handler. */
  readonly seen: readonly ProbeResult[] | undefined
  /** The pages that buyers got. */
  readonly pages: readonly Page[]
}

export interface Ports {
  readonly send: Send
  readonly probes: readonly Probe[]
}

/** The state of the run: whether this is the first check, and whether the handler stopped before it. */
export interface RunState {
  readonly isFirst: boolean
  readonly stopped: boolean
}

/**
 * @throws {TargetUnreachableError}
 * @throws {ProbeError}
 */
export async function runSteps(
  check: Check,
  values: MessageValues,
  ports: Ports,
  { isFirst, stopped: handlerStopped }: RunState,
): Promise<StepsResult> {
  const { send, probes } = ports
  const responses: HandlerResponse[] = []
  const effects = probes.map((): Effect[] => [])
  const pages: Page[] = []
  const sent: SentMessage[] = []
  const steps = check.steps(values)
  try {
    for (const [number, { about, messages }] of steps.entries()) {
      const before = await each(probes, (probe) => probe.learnVolatile(about))
      const step = await Promise.all(messages.map(send))
      if (isFirst && responses.length === 0) requireTarget(step)
      for (const [at, response] of step.entries())
        sent.push({ message: messages[at] as Message, at: responses.length + at, response })
      responses.push(...step)
      // The service retries until it gets a 2xx, so a handler may refuse an event that it cannot process yet.
      const passes = check.judge === undefined ? 0 : number === steps.length - 1 ? MAX_RETRIES : 1
      for (let pass = 0; pass < passes; pass++) await retryRefused(sent, responses, send)
      const areAccepted = check.expect === 'accept' && responses.every(isAccepted)
      const after = await readAfter(probes, about, areAccepted ? before : undefined)
      const sentIds = check.judge === undefined ? [] : sentIdsIn(messagesOf(steps, about.order_id))
      for (const { page } of step) if (page !== undefined) pages.push({ ...page, sentIds })
      for (const [at, { isPerOrder, volatile: volatileFields }] of probes.entries()) {
        const [earlier, later] = [before[at] ?? BLANK, after[at] ?? BLANK]
        effects[at]?.push({
          about,
          before: earlier.text,
          after: later.text,
          isPerOrder,
          sentIds,
          volatile: volatileFields(),
          ...omitUndefined({ note: later.note }),
        })
      }
    }
  } catch (error) {
    // `isOfTarget`: the probe reads from the handler's server, and nothing listens there.
    if (error instanceof ProbeError && error.isOfTarget && isFirst && responses.length === 0) {
      throw new TargetUnreachableError(error.message)
    }
    // If the probe failed together with the handler, the responses already report it.
    if (!(error instanceof ProbeError && (handlerStopped || responses.some(hasNoResponse)))) throw error
    if (responses.length === 0) responses.push({ error: error.message, code: 'ECONNREFUSED', ms: 0, text: '' })
    return { responses, seen: undefined, pages }
  }
  return {
    responses,
    pages,
    seen: probes.map(({ label, isPerOrder }, at) => ({ label, isPerOrder, effects: effects[at] ?? [] })),
  }
}

/** Spec 6.1: an event is sent again at most eight times. */
const MAX_RETRIES = 8

interface SentMessage {
  readonly message: Message
  /** The position of its response. */
  readonly at: number
  response: HandlerResponse
}

/**
 * Sends each refused message again, in order, and replaces its response. Only messages with a complete response are
 * sent again. The visit of a buyer to the return page is not repeated.
 */
async function retryRefused(sent: readonly SentMessage[], responses: HandlerResponse[], send: Send): Promise<void> {
  for (const one of sent) {
    const { status, error, isVisit } = one.response
    if (status === undefined || error !== undefined || isVisit === true || isAccepted(one.response)) continue
    one.response = await send(one.message)
    responses[one.at] = one.response
  }
}

/**
 * Reads each probe after a step.
 * @param before the readings before the step, if the handler accepted every event. If a value is still the same, the
 *   probe waits for a late effect.
 */
async function readAfter(
  probes: readonly Probe[],
  about: Subject,
  before: readonly Reading[] | undefined,
): Promise<Reading[]> {
  return await Promise.all(
    probes.map(async (probe, at) => {
      const after = await probe.settled(about)
      const was = before?.[at]
      if (was === undefined || was.text !== after.text) return after
      return (await probe.awaitEffect(about, was)) ?? after
    }),
  )
}

const BLANK: Reading = { text: '' }

async function each(probes: readonly Probe[], look: (probe: Probe) => Promise<Reading>): Promise<Reading[]> {
  return await Promise.all(probes.map(look))
}

function messagesOf(steps: ReturnType<Check['steps']>, order: string): Message[] {
  return steps.filter(({ about }) => about.order_id === order).flatMap(({ messages }) => messages)
}

/** Codes of a connection that was not established. */
const CONNECTION_ERRORS = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EPROTO',
]

function hasNoResponse({ status }: HandlerResponse): boolean {
  return status === undefined
}

export function isConnectionError({ status, code }: HandlerResponse): boolean {
  return status === undefined && CONNECTION_ERRORS.includes(code ?? '')
}

function requireTarget(responses: readonly HandlerResponse[]): void {
  const unreachable = responses.find(isConnectionError)
  if (unreachable !== undefined) throw new TargetUnreachableError(unreachable.error)
}
