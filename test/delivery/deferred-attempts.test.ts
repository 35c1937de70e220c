// Attempts that a fault defers, without a dispatcher around them.
import { beforeEach, expect, test } from 'vitest'
import { createDeferredAttempts, type DeferredAttempts } from '../../src/delivery/deferred-attempts.ts'
import type { DispatcherPorts } from '../../src/delivery/dispatcher-types.ts'
import { NO_FAULTS, selectFaults } from '../../src/delivery/webhook-faults.ts'
import type { Delivery } from '../../src/domain/delivery.ts'
import type { Commit } from '../../src/engine/commit.ts'

const NOW = 1_000_000
const NOTHING: Commit = { clear: [], deletes: [], puts: [], stream: [], result: null }

let rows: Map<string, Delivery>
let scheduled: (readonly [id: string, due: number])[]
let nextTurns: (() => void)[]
let failing: boolean
let deferred: DeferredAttempts
beforeEach(() => {
  rows = new Map()
  scheduled = []
  nextTurns = []
  failing = false
  deferred = createDeferredAttempts({
    engine: { world: { get: (_table: string, id: string) => rows.get(id) } },
    now: () => NOW,
    scheduleAttempt(id: string, due: number) {
      if (failing) throw new Error('disk full')
      scheduled.push([id, due])
    },
    systemClock: { nextTurn: (fn: () => void) => void nextTurns.push(fn) },
  } as unknown as DispatcherPorts)
})

function waiting(id: string, more: object = {}): Delivery {
  const delivery = { id, url: 'http://a/', status: 'waiting', ...more } as Delivery
  rows.set(id, delivery)
  return delivery
}

const faults = (fault: string, id = `of ${fault}`) => selectFaults([{ id, fault }])

function remove(...deletes: [table: 'faults' | 'rules', id: string][]): void {
  const commit = { ...NOTHING, deletes: deletes.map(([table, id]) => ({ table, id })) }
  deferred.onCommit(commit, 'remove_faults', NOW as never)
  for (const turn of nextTurns.splice(0)) turn()
}

test('an attempt without a fault that defers is made now', () => {
  for (const each of [NO_FAULTS, faults('tamper')]) expect(deferred.defer(waiting('d'), each)).toBe(false)
  expect([deferred.takeFaults('d'), scheduled]).toEqual([undefined, []])
})

test('a delay sets the timer again, and the remaining faults are taken once', () => {
  expect(deferred.defer(waiting('d'), faults('delay:30s'))).toBe(true)
  expect(scheduled).toEqual([['d', NOW + 30_000]])
  expect(deferred.takeFaults('d')).toEqual({ ...faults('delay:30s'), delay: 0 })
  expect(deferred.takeFaults('d')).toBeUndefined()
})

test('a held attempt has no timer, and a replay is not held', () => {
  expect(deferred.defer(waiting('d'), faults('hold'))).toBe(true)
  expect([deferred.takeFaults('d'), scheduled]).toEqual([{ ...faults('hold'), hold: false }, []])
  expect(deferred.defer(waiting('replay', { no_retries: true }), faults('hold'))).toBe(false)
  expect(deferred.takeFaults('replay')).toBeUndefined()
})

test('a reordered attempt waits for the next one of its receiver, and only one waits at a time', () => {
  expect(deferred.defer(waiting('first'), faults('reorder'))).toBe(true)
  expect(deferred.defer(waiting('second'), faults('reorder'))).toBe(false)
  expect(deferred.defer(waiting('elsewhere', { endpoint_id: 'we' }), faults('reorder'))).toBe(true)
  deferred.onSent('http://other/')
  expect(scheduled).toEqual([])
  deferred.onSent('http://a/')
  deferred.onSent('http://a/')
  expect(scheduled).toEqual([['first', NOW]])
  expect(deferred.takeFaults('first')).toEqual({ ...faults('reorder'), reorder: false })
  deferred.onSent('we')
  expect(scheduled).toEqual([
    ['first', NOW],
    ['elsewhere', NOW],
  ])
})

test.each([
  ['delivered', 'delivered'],
  ['deleted', undefined],
])('an attempt is deferred until the next one if the deferred attempt before it was %s', (_, status) => {
  deferred.defer(waiting('first'), faults('reorder'))
  if (status === undefined) rows.delete('first')
  else waiting('first', { status })
  expect(deferred.defer(waiting('second'), faults('reorder'))).toBe(true)
  deferred.onSent('http://a/')
  expect(scheduled).toEqual([['second', NOW]])
})

test('an attempt that no longer waits is not sent after the next one, and its faults are forgotten', () => {
  deferred.defer(waiting('first'), faults('reorder'))
  waiting('first', { status: 'cancelled' })
  deferred.onSent('http://a/')
  expect([scheduled, deferred.takeFaults('first')]).toEqual([[], undefined])
})

test('an attempt whose timer cannot be stored keeps its faults, and the attempt before it is not disturbed', () => {
  deferred.defer(waiting('first'), faults('reorder'))
  failing = true
  expect(() => deferred.onSent('http://a/')).not.toThrow()
  expect(deferred.takeFaults('first')).toEqual({ ...faults('reorder'), reorder: false })
})

test('an empty set of faults is not saved', () => {
  deferred.saveFaults('none', NO_FAULTS)
  deferred.saveFaults('some', faults('tamper'))
  expect([deferred.takeFaults('none'), deferred.takeFaults('some')]).toEqual([undefined, faults('tamper')])
})

test('removing a fault releases the attempts that it defers, and no other', () => {
  for (const id of ['a', 'b', 'c']) deferred.defer(waiting(id), faults('hold', `fault of ${id}`))
  rows.delete('c')
  remove(['rules', 'fault of a'])
  expect([scheduled, deferred.takeFaults('c')]).toEqual([[], { ...faults('hold', 'fault of c'), hold: false }])
  deferred.saveFaults('c', faults('tamper'))
  remove(['rules', 'fault of b'], ['faults', 'fault of a'])
  expect(scheduled).toEqual([['a', NOW]])
  expect(['b', 'c'].map((id) => deferred.takeFaults(id)?.names)).toEqual([['hold'], undefined])
})

test('an attempt that is released early does not wait for the next one of its receiver any more', () => {
  deferred.defer(waiting('first'), faults('reorder', 'one'))
  rows.delete('first')
  remove(['faults', 'another'])
  waiting('first')
  deferred.onSent('http://a/')
  expect(scheduled).toEqual([])
})

test('a release runs in a later turn than the commit, and only if a fault that defers an attempt was removed', () => {
  const commit: Commit = { ...NOTHING, deletes: [{ table: 'faults', id: 'one' }] }
  deferred.onCommit(commit, 'remove_faults', NOW as never)
  expect(nextTurns).toEqual([])
  deferred.defer(waiting('d'), faults('hold', 'one'))
  deferred.onCommit(NOTHING, 'add_rule', NOW as never)
  expect(nextTurns).toEqual([])
  deferred.onCommit(commit, 'remove_faults', NOW as never)
  expect([nextTurns.length, scheduled]).toEqual([1, []])
})

test('a replaced state has no deferred attempts', () => {
  deferred.defer(waiting('held'), faults('hold'))
  deferred.defer(waiting('first'), faults('reorder'))
  deferred.clear()
  deferred.onSent('http://a/')
  expect([scheduled, deferred.takeFaults('held'), deferred.takeFaults('first')]).toEqual([[], undefined, undefined])
})
