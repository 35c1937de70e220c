import type { ScheduledStep } from '../../client/clock-types.ts'

export interface StepGroup extends ScheduledStep {
  readonly count: number
}

/** Groups equal steps that are due at the same time. A group names its first object. */
export function groupSteps(steps: readonly ScheduledStep[]): readonly StepGroup[] {
  const groups = new Map<string, StepGroup>()
  for (const each of steps) {
    const key = `${each.due} ${each.step}`
    const group = groups.get(key)
    groups.set(key, group === undefined ? { ...each, count: 1 } : { ...group, count: group.count + 1 })
  }
  return [...groups.values()]
}
