// Sends the steps of a check, one after another, and has each probe look before and after.

import type { Check, Ground, Message } from './check.ts'
import type { Effect } from './effect.ts'
import type { Seen } from './judge-effects.ts'
import { namesIn } from './names.ts'
import type { Page } from './page.ts'
import { type Answer, type Probe, ProbeError, type Reading, type Send, TargetUnreachable } from './ports.ts'

export interface Played {
  readonly answers: readonly Answer[]
  /** By each probe; `undefined` where they ended together with the handler. */
  readonly seen: readonly Seen[] | undefined
  /** The pages that buyers got. */
  readonly pages: readonly Page[]
}

export interface Ports {
  readonly send: Send
  readonly probes: readonly Probe[]
}

/** How things stand: is it the first check of all, and did the handler end before it? */
export interface Standing {
  readonly first: boolean
  readonly fallen: boolean
}

/** @throws {TargetUnreachable} @throws {ProbeError} */
export async function play(check: Check, ground: Ground, ports: Ports, { first, fallen }: Standing): Promise<Played> {
  const { send, probes } = ports
  const answers: Answer[] = []
  const effects = probes.map((): Effect[] => [])
  const pages: Page[] = []
  const steps = check.steps(ground)
  try {
    for (const { about, messages } of steps) {
      const before = await each(probes, (probe) => probe.value(about))
      const step = await Promise.all(messages.map(send))
      if (first && answers.length === 0) requireTarget(step)
      answers.push(...step)
      const after = await each(probes, (probe) => probe.settled(about))
      const names = check.judge === undefined ? [] : namesIn(messagesOf(steps, about.order_id))
      for (const { page } of step) if (page !== undefined) pages.push({ ...page, names })
      for (const [at, { own, restless }] of probes.entries()) {
        const [was, is] = [before[at] ?? BLANK, after[at] ?? BLANK]
        const said = is.said === undefined ? {} : { said: is.said }
        effects[at]?.push({ about, before: was.text, after: is.text, own, names, restless: restless(), ...said })
      }
    }
  } catch (error) {
    if (error instanceof ProbeError && error.isOfTarget && first && answers.length === 0) {
      throw new TargetUnreachable(error.message)
    }
    // The probe may have ended together with the handler: that is told by the answers.
    if (!(error instanceof ProbeError && (fallen || answers.some(isLost)))) throw error
    if (answers.length === 0) answers.push({ error: error.message, code: 'ECONNREFUSED', ms: 0, text: '' })
    return { answers, seen: undefined, pages }
  }
  return { answers, pages, seen: probes.map(({ label, own }, at) => ({ label, own, effects: effects[at] ?? [] })) }
}

const BLANK: Reading = { text: '' }

async function each(probes: readonly Probe[], look: (probe: Probe) => Promise<Reading>): Promise<Reading[]> {
  return await Promise.all(probes.map(look))
}

function messagesOf(steps: ReturnType<Check['steps']>, order: string): Message[] {
  return steps.filter(({ about }) => about.order_id === order).flatMap(({ messages }) => messages)
}

/** Codes of a connection that never came about. */
const NOBODY = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EPROTO']

function isLost({ status }: Answer): boolean {
  return status === undefined
}

export function isNobody({ status, code }: Answer): boolean {
  return status === undefined && NOBODY.includes(code ?? '')
}

function requireTarget(answers: readonly Answer[]): void {
  const lost = answers.find(isNobody)
  if (lost !== undefined) throw new TargetUnreachable(lost.error)
}
