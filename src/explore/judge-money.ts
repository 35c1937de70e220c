// Judges the numbers of an order and of the whole shop: they must equal the sums of the events.
import { dependsOnDeliveryOrder } from '../audit/probe-fields.ts'
import type { Meanings } from './learn-meanings.ts'
import { numberChanges } from './learn-meanings.ts'
import { fieldIdOf, numberOf } from './order-fields.ts'
import { isSameNumber, type Measure } from './quantities.ts'
import { totalsOf } from './story-event.ts'
import { eventsAbout, fieldsIn, type StoryRun } from './story-run.ts'
import type { Violation } from './violation.ts'

export function numberIssue(storyRun: StoryRun, meanings: Meanings, order: 'main' | 'control'): Violation | undefined {
  for (const reading of storyRun.result.end.filter((one) => one.order === order)) {
    const totals = totalsOf(eventsAbout(reading, storyRun.enacted.events))
    const fields = fieldsIn(reading, storyRun, meanings)
    for (const [id, measures] of meanings.numbers) {
      const path = id.slice(reading.probe.length + 1)
      const value = numberOf(fields.get(path))
      if (!id.startsWith(`${reading.probe} `) || value === undefined || dependsOnDeliveryOrder(path)) continue
      if (fits(measures, value, totals)) continue
      return moneyViolation(reading.probe, path, value, measures, totals, order)
    }
  }
  return undefined
}

export function shopIssue({ enacted, shop }: StoryRun, meanings: Meanings): Violation | undefined {
  const totals = totalsOf(enacted.events)
  for (const { probe, before, after } of shop) {
    for (const [path, change] of numberChanges(before, after)) {
      const measures = meanings.shopNumbers.get(fieldIdOf(probe, path))
      if (measures === undefined || fits(measures, change, totals)) continue
      return moneyViolation(probe, path, change, measures, totals)
    }
  }
  return undefined
}

function fits(measures: readonly Measure[], value: number, totals: Parameters<Measure['expected']>[0]): boolean {
  return measures.some((measure) => isSameNumber(measure.expected(totals), value))
}

function moneyViolation(
  probe: string,
  path: string,
  value: number,
  measures: readonly Measure[],
  totals: Parameters<Measure['expected']>[0],
  order?: 'main' | 'control',
): Violation {
  const right = [...new Set(measures.map((measure) => round(measure.expected(totals))))].join(' or ')
  const what = measures[0]?.id ?? 'the sum'
  const name = path === '$' ? probe : `${path} of ${probe}`
  const verb = order === undefined ? 'changed by' : 'is'
  return {
    oracle: 'money',
    cause: `money ${fieldIdOf(probe, path)} ${value > (measures[0]?.expected(totals) ?? 0) ? 'too high' : 'too low'}`,
    title: `${name} ${verb} ${round(value)}, but it must be ${right} (${what}).`,
    got: `${name} ${verb} ${round(value)}`,
    expected: `${name} ${verb} ${right}`,
    probe,
    ...(order && { order }),
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
