// The timers and the clock that follow from a commit.
import { expect, test } from 'vitest'
import type { Payment } from '../../src/domain/payment.ts'
import type { Commit, PreparedState } from '../../src/engine/commit.ts'
import type { StateRow } from '../../src/engine/tables.ts'
import { armPrepared, syncTimers } from '../../src/time/sync-timers.ts'
import type { Timeline } from '../../src/time/timeline-types.ts'
import { at, START, timer } from './fixtures.ts'

/** Records the calls of a timeline. */
function recorder() {
  const calls: unknown[][] = []
  const timeline = new Proxy({} as Timeline, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        void calls.push([name, ...args]),
  })
  return { calls, timeline }
}

function callsOf(commit: Partial<Commit>, command = 'create_payment') {
  const { calls, timeline } = recorder()
  const whole = { clear: [], deletes: [], puts: [], stream: [], result: undefined, ...commit } as Commit
  syncTimers(timeline, whole, command, { now: () => START as never })
  return calls
}

const payment = (fields: Partial<Payment>) =>
  ({ id: 'p', status: 'pending', expires_at: at(900), seq: 3, ...fields }) as Payment
const waiting = payment({ step: 'open_session', step_at: at(5) })
const step = { id: 'open_session:p', kind: 'open_session', object_id: 'p', due: at(5), seq: 4 }
const expiry = { id: 'link_timeout:p', kind: 'link_timeout', object_id: 'p', due: at(900), seq: 3 }
const clock: StateRow = { id: 'clock', mode: 'frozen', speed: 1, virtual: at(7), wall: START }

test('a commit first removes the timers of deleted rows, and then updates the timers of its rows', () => {
  const puts: Commit['puts'] = [
    { table: 'payments', row: waiting },
    { table: 'payments', row: payment({}) },
    { table: 'payments', row: payment({ status: 'succeeded' }) },
    { table: 'timers', row: timer('d', 5) },
    { table: 'state', row: clock },
  ]
  expect(
    callsOf({
      puts,
      deletes: [
        { table: 'timers', id: 'deliver:x' },
        { table: 'payments', id: 'p' },
      ],
    }),
  ).toEqual([
    ['disarm', 'deliver:x'],
    ['replaceTimer', 'p', step, true],
    ['replaceTimer', 'p', expiry, false],
    ['replaceTimer', 'p', undefined, false],
    ['arm', timer('d', 5)],
  ])
})

test('a commit that clears the state restores the clock that it stores, or else the real one', () => {
  const settings: StateRow = { id: 'settings', values: {} }
  const restored = (commit: Partial<Commit>, command?: string) =>
    callsOf(commit, command).filter(([name]) => name === 'restoreClock')
  const puts: Commit['puts'] = [
    { table: 'timers', row: { ...timer('x', 1), id: 'clock' } },
    { table: 'state', row: settings },
    { table: 'state', row: clock },
  ]
  expect(restored({ clear: ['state'], puts }, 'reset')).toEqual([['restoreClock', clock]])
  expect(restored({ clear: ['state'], puts: puts.slice(0, 2) }, 'reset')).toEqual([
    ['restoreClock', { id: 'clock', mode: 'real', speed: 1, virtual: START, wall: START }],
  ])
  expect(restored({ clear: ['payments'], puts }, 'reset')).toEqual([])
  expect(restored({ clear: ['state'], puts }, 'set_clock')).toEqual([])
})

test('the timers of a prepared state are armed with pauses in between', async () => {
  const { calls, timeline } = recorder()
  const rows: ReturnType<PreparedState['timed']> = [
    { table: 'timers', row: timer('d', 5) },
    undefined,
    { table: 'payments', row: waiting },
  ]
  const state = { state: [], timed: () => rows } as PreparedState
  await armPrepared(timeline as never, state, async () => void calls.push(['pause']))
  expect(calls).toEqual([['arm', timer('d', 5)], ['pause'], ['replaceTimer', 'p', step, true]])
})
