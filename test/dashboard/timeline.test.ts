import { expect, it } from 'vitest'
import { shownGap, timelineEntries } from '../../src/dashboard/detail/timeline-entries.ts'
import type { TimelineBlock } from '../../src/view-model/detail/blocks.ts'

const AT = '2026-05-06T12:00:00.000Z'
const LATER = '2026-05-06T12:00:10.000Z'

const step = (label: string) => ({ at: AT, label, status: label, tone: 'plain' as const, details: '', gap: 0 })
const statuses: TimelineBlock = {
  kind: 'timeline',
  title: 'Timeline',
  steps: [step('refund succeeded'), step('pending'), step('succeeded')],
  missing: undefined,
}
const event = (id: string, name: 'payment.succeeded' | 'payment.refunded') => ({
  id,
  event: name,
  created_at: AT,
  shop_id: 's',
  object_id: 'p',
  data: {},
})
const delivery = {
  id: 'dlv_1',
  event_id: 'evt_1',
  event: 'payment.succeeded' as const,
  object_id: 'p',
  shop_id: 's',
  url: 'http://x/',
  status: 'waiting' as const,
  attempts: [
    { number: 1, at: AT, ms: 3, status: 500, error: null, request: {}, response: null },
    { number: 2, at: AT, ms: 3, status: 500, error: null, manual: true, request: {}, response: null },
  ] as never,
}

it('an attempt of a replay has its mark', () => {
  const deliveries = [delivery, { ...delivery, replay: true as const }, { ...delivery, edited: true as const }]
  const entries = timelineEntries({ statuses, events: [], deliveries, schedule: [] })
  const marks = entries.flatMap((entry) => (entry.kind === 'attempt' && entry.number === 1 ? [entry.mark] : []))
  expect(marks).toEqual(['edited', 'replay', undefined])
})

it('entries at the same time are in the order of their causes', () => {
  const entries = timelineEntries({
    statuses,
    events: [event('evt_2', 'payment.refunded'), event('evt_1', 'payment.succeeded')],
    deliveries: [delivery],
    schedule: [{ due: LATER, step: 'deliver', object_id: 'dlv_1' }],
  })
  const texts = entries.map((entry) => {
    if (entry.kind === 'status') return entry.label
    if (entry.kind === 'event') return `${entry.event} ${entry.hasDelivery}`
    return entry.kind === 'attempt' ? `attempt ${entry.result} ${entry.isManual}` : `${entry.step} ${entry.url}`
  })
  expect(texts).toEqual([
    'pending',
    'succeeded',
    'refund succeeded',
    'payment.succeeded true',
    'payment.refunded false',
    'attempt 500 false',
    'attempt 500 true',
    'deliver http://x/',
  ])
})

it('a gap is the difference of the times as they are shown', () => {
  const entry = (text: string) => {
    const [found] = timelineEntries({
      statuses,
      events: [{ ...event('evt_1', 'payment.succeeded'), created_at: text }],
      deliveries: [],
      schedule: [],
    }).filter(({ kind }) => kind === 'event')
    if (found === undefined) throw new Error('The timeline has no event.')
    return found
  }
  const [first, last] = [entry('2026-05-06T12:00:01.100Z'), entry('2026-05-06T12:01:12.900Z')]
  expect([shownGap(first, last), shownGap(first, first)]).toEqual([71_000, 0])
})
