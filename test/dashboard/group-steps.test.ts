import { expect, it } from 'vitest'
import { groupSteps } from '../../src/dashboard/views/group-steps.ts'

it('steps of the same kind at the same time are one group with its first object', () => {
  const step = (due: string, step: string, object_id: string) => ({ due, step, object_id })
  const steps = [
    step('10:00', 'deliver', 'd1'),
    step('10:00', 'link_timeout', 'p1'),
    step('10:00', 'deliver', 'd2'),
    step('10:05', 'deliver', 'd3'),
  ]
  expect(groupSteps(steps)).toEqual([
    { ...step('10:00', 'deliver', 'd1'), count: 2 },
    { ...step('10:00', 'link_timeout', 'p1'), count: 1 },
    { ...step('10:05', 'deliver', 'd3'), count: 1 },
  ])
})
