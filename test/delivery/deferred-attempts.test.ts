// Attempts that a fault defers, without a dispatcher around them.
import { beforeEach, expect, test } from 'vitest'
import { createDeferredAttempts, type DeferredAttempts } from '../../src/delivery/deferred-attempts.ts'
import type { DispatcherPorts } from '../../src/delivery/dispatcher-types.ts'
import { NO_FAULTS, planFaults } from '../../src/delivery/webhook-faults.ts'
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

const plan = (fault: string, id = `of ${fault}`) => planFaults([{ id, fault }])

function remove(...deletes: [table: 'faults' | 'rules', id: string][]): void {
  const commit = { ...NOTHING, deletes: deletes.map(([table, id]) => ({ table, id })) }
  deferred.onCommit(commit, 'remove_faults', NOW as never)
  for (const turn of nextTurns.splice(0)) turn()
}

test('an attempt without a fault that defers is made now', () => {
  for (const fault of [NO_FAULTS, plan('tamper')]) expect(deferred.defer(waiting('d'), fault)).toBe(false)
  expect([deferred.takePlan('d'), scheduled]).toEqual([undefined, []])
})

test('a delay sets the timer again, and the rest of the plan is taken once', () => {
  expect(deferred.defer(waiting('d'), plan('delay:30s'))).toBe(true)
  expect(scheduled).toEqual([['d', NOW + 30_000]])
  expect(deferred.takePlan('d')).toEqual({ ...plan('delay:30s'), delay: 0 })
  expect(deferred.takePlan('d')).toBeUndefined()
})

test('a held attempt has no timer, and a replay is not held', () => {
  expect(deferred.defer(waiting('d'), plan('hold'))).toBe(true)
  expect([deferred.takePlan('d'), scheduled]).toEqual([{ ...plan('hold'), hold: false }, []])
  expect(deferred.defer(waiting('replay', { no_retries: true }), plan('hold'))).toBe(false)
  expect(deferred.takePlan('replay')).toBeUndefined()
})

test('a reordered attempt waits for the next one of its receiver, and only one waits at a time', () => {
  expect(deferred.defer(waiting('first'), plan('reorder'))).toBe(true)
  expect(deferred.defer(waiting('second'), plan('reorder'))).toBe(false)
  expect(deferred.defer(waiting('elsewhere', { endpoint_id: 'we' }), plan('reorder'))).toBe(true)
  deferred.onSent('http://other/')
  expect(scheduled).toEqual([])
  deferred.onSent('http://a/')
  deferred.onSent('http://a/')
  expect(scheduled).toEqual([['first', NOW]])
  expect(deferred.takePlan('first')).toEqual({ ...plan('reorder'), reorder: false })
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
  deferred.defer(waiting('first'), plan('reorder'))
  if (status === undefined) rows.delete('first')
  else waiting('first', { status })
  expect(deferred.defer(waiting('second'), plan('reorder'))).toBe(true)
  deferred.onSent('http://a/')
  expect(scheduled).toEqual([['second', NOW]])
})

test('an attempt that no longer waits is not sent after the next one, and its plan is forgotten', () => {
  deferred.defer(waiting('first'), plan('reorder'))
  waiting('first', { status: 'cancelled' })
  deferred.onSent('http://a/')
  expect([scheduled, deferred.takePlan('first')]).toEqual([[], undefined])
})

test('an attempt whose timer cannot be stored keeps its plan, and the attempt before it is not disturbed', () => {
  deferred.defer(waiting('first'), plan('reorder'))
  failing = true
  expect(() => deferred.onSent('http://a/')).not.toThrow()
  expect(deferred.takePlan('first')).toEqual({ ...plan('reorder'), reorder: false })
})

test('a plan without faults is not saved', () => {
  deferred.savePlan('none', NO_FAULTS)
  deferred.savePlan('some', plan('tamper'))
  expect([deferred.takePlan('none'), deferred.takePlan('some')]).toEqual([undefined, plan('tamper')])
})

test('removing a fault releases the attempts that it defers, and no other', () => {
  for (const id of ['a', 'b', 'c']) deferred.defer(waiting(id), plan('hold', `fault of ${id}`))
  rows.delete('c')
  remove(['rules', 'fault of a'])
  expect([scheduled, deferred.takePlan('c')]).toEqual([[], { ...plan('hold', 'fault of c'), hold: false }])
  deferred.savePlan('c', plan('tamper'))
  remove(['rules', 'fault of b'], ['faults', 'fault of a'])
  expect(scheduled).toEqual([['a', NOW]])
  expect(['b', 'c'].map((id) => deferred.takePlan(id)?.names)).toEqual([['hold'], undefined])
})

test('an attempt that is released early does not wait for the next one of its receiver any more', () => {
  deferred.defer(waiting('first'), plan('reorder', 'one'))
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
  deferred.defer(waiting('d'), plan('hold', 'one'))
  deferred.onCommit(NOTHING, 'add_rule', NOW as never)
  expect(nextTurns).toEqual([])
  deferred.onCommit(commit, 'remove_faults', NOW as never)
  expect([nextTurns.length, scheduled]).toEqual([1, []])
})

test('a replaced state has no deferred attempts', () => {
  deferred.defer(waiting('held'), plan('hold'))
  deferred.defer(waiting('first'), plan('reorder'))
  deferred.clear()
  deferred.onSent('http://a/')
  expect([scheduled, deferred.takePlan('held'), deferred.takePlan('first')]).toEqual([[], undefined, undefined])
})
