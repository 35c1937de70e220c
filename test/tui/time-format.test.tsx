import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it, test } from 'vitest'
import { shortenPath } from '../../src/tui/panes/columns.ts'
import type { State } from '../../src/tui/state/state.ts'
import { applyActions, createState, paymentMessage, pressKeys, receiveMessages, stateWithPayments } from './fixtures.ts'
import { renderFrame } from './render-frame.tsx'

const renderText = (state: State) => stripVTControlCharacters(renderFrame(state))

describe('the times of the view', () => {
  const request = (id: number, sandbox_at: string) => ({
    kind: 'request' as const,
    at: sandbox_at,
    request: {
      id,
      at: '2031-01-01T00:00:00.000Z',
      sandbox_at,
      method: 'GET',
      path: '/v1/public/banks',
      status: 200,
      ms: 1,
    },
  })
  const clockAt = (now: string) =>
    ({ type: 'clock', clock: { mode: 'frozen', now, speed: 1, next_due: null }, now: 0 }) as const
  const render = (now: string, pane: string, ...instants: readonly string[]) =>
    renderText(
      applyActions(
        createState(),
        clockAt(now),
        receiveMessages(...instants.map((at, id) => request(id, at))),
        ...pressKeys(pane),
      ).state,
    )

  it("are of the sandbox's clock in every pane", () => {
    for (const pane of ['4', '5']) {
      const frame = render('2026-05-06T12:00:01.000Z', pane, '2026-05-06T12:00:00.079Z')
      expect(frame).toContain('12:00:00.079')
      expect(frame).not.toContain('2031')
    }
    const opened = applyActions(
      createState(),
      receiveMessages(request(1, '2026-05-06T12:00:00.079Z')),
      ...pressKeys('4', 'enter'),
    ).state
    expect(renderText(opened)).toMatch(/at +2026-05-06 12:00:00/)
  })

  it('include the day if a list has times on another day than the header', () => {
    const twoDays = render('2026-05-06T12:00:01.000Z', '4', '2026-05-03T11:00:00.000Z', '2026-05-06T12:00:00.000Z')
    expect(twoDays).toMatch(/05-06 12:00:00 .*05-03 11:00:00 /s)
    expect(render('2026-05-06T12:00:01.000Z', '4', '2026-05-03T11:00:00.000Z')).toContain('05-03 11:00:00 ')
    expect(render('2027-01-01T00:00:00.000Z', '4', '2026-12-31T23:00:00.000Z')).toContain('2026-12-31 23:00:00 ')
  })

  it('include the day in a timeline of several days, otherwise the heading shows it', () => {
    const renderTimeline = (end: string) =>
      renderText(
        applyActions(
          stateWithPayments(1),
          receiveMessages(paymentMessage('p1', { status: 'expired' }, end)),
          ...pressKeys('enter'),
        ).state,
      )
    expect(renderTimeline('2026-05-06T12:00:00.000Z')).toMatch(/Timeline {2}2026-05-06 .*11:59:50\.000 {2}○ pending/s)
    expect(renderTimeline('2026-05-09T11:59:50.000Z')).toMatch(
      /Timeline .*05-06 11:59:50 {2}○ pending .*05-09 11:59:50 .*\+3 d/s,
    )
  })
})

test.each([
  [
    '/v1/public/payments/0a1b2c3d-0000-4000-8000-000000000000/refund',
    80,
    '/v1/public/payments/0a1b2c3d-0000-4000-8000-000000000000/refund',
  ],
  ['/v1/public/payments/0a1b2c3d-0000-4000-8000-000000000000/refund', 40, '/v1/public/payments/0a1b2c3d…/refund'],
  ['/v1/public/payments/0a1b2c3d-0000-4000-8000-000000000000/refund', 30, '…/payments/0a1b2c3d…/refund'],
  ['/v1/public/payments/0a1b2c3d-0000-4000-8000-000000000000/refund', 20, '…/payments/0…/refund'],
  ['/v1/public/payments?limit=5', 14, '…/payments?li…'],
])('shortenPath limits %s to %i columns as %s', (path, columns, short) => {
  expect(shortenPath(path, columns)).toBe(short)
})
