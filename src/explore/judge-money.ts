// Judges the numbers of an order and of the whole shop: they must equal the sums of the events.
import { dependsOnDeliveryOrder, numberOf } from '../audit/probe-fields.ts'
import { type Meanings, numberChanges } from './learn-meanings.ts'
import { fieldIdOf } from './order-fields.ts'
import { fitsOne, type Measure } from './quantities.ts'
import type { ShopReading } from './read-probes.ts'
import type { OrderName } from './story.ts'
import { type Totals, totalsOf } from './story-event.ts'
import { eventsAbout, fieldsIn, type StoryRun } from './story-run.ts'
import type { Violation } from './violation.ts'

export function numberIssue(storyRun: StoryRun, meanings: Meanings, order: OrderName): Violation | undefined {
  for (const reading of storyRun.result.end.filter((one) => one.order === order)) {
    const totals = totalsOf(eventsAbout(reading, storyRun.enacted.events))
    const fields = fieldsIn(reading, storyRun, meanings)
    for (const [id, measures] of meanings.numbers) {
      const path = id.slice(reading.probe.length + 1)
      const value = numberOf(fields.get(path))
      if (!id.startsWith(`${reading.probe} `) || value === undefined || dependsOnDeliveryOrder(path)) continue
      if (fitsOne(measures, totals, value)) continue
      return moneyViolation(reading.probe, path, value, measures, totals, order)
    }
  }
  return undefined
}

/** @param totals the sums of all events between the readings */
export function shopIssue(
  shop: readonly ShopReading[],
  totals: Totals,
  { shopNumbers }: Meanings,
): Violation | undefined {
  for (const reading of shop) {
    for (const [path, change] of numberChanges(reading)) {
      const measures = shopNumbers.get(fieldIdOf(reading.probe, path))
      if (measures === undefined || fitsOne(measures, totals, change)) continue
      return moneyViolation(reading.probe, path, change, measures, totals)
    }
  }
  return undefined
}

function moneyViolation(
  probe: string,
  path: string,
  value: number,
  measures: readonly Measure[],
  totals: Totals,
  order?: OrderName,
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
