import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Timer } from '../../src/engine/tables.ts'
import { createDueQueue } from '../../src/time/due-queue.ts'
import { timer } from './fixtures.ts'

const byOrder = (a: Timer, b: Timer) => a.due - b.due || a.seq - b.seq

test('the queue matches a sorted list after random puts, replacements, removals and pops', () => {
  const kind = fc.constantFrom('deliver' as const, 'link_timeout' as const)
  const action = fc.oneof(
    { weight: 40, arbitrary: fc.record({ do: fc.constant('put' as const), name: fc.nat(30), due: fc.nat(20), kind }) },
    { weight: 15, arbitrary: fc.record({ do: fc.constant('remove' as const), name: fc.nat(30), kind }) },
    { weight: 10, arbitrary: fc.record({ do: fc.constant('drop' as const), name: fc.nat(30) }) },
    { weight: 15, arbitrary: fc.record({ do: fc.constant('pop' as const) }) },
    { weight: 1, arbitrary: fc.constant({ do: 'clear' as const }) },
  )
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200, size: 'max' }), (actions) => {
      const queue = createDueQueue()
      let model: Timer[] = []
      for (const [seq, step] of actions.entries()) {
        if (step.do === 'put') {
          const next = timer(`${step.name}`, step.due, seq, step.kind)
          queue.put(next)
          model = [...model.filter(({ id }) => id !== next.id), next].sort(byOrder)
        } else if (step.do === 'remove') {
          queue.remove(`${step.kind}:${step.name}`)
          model = model.filter(({ id }) => id !== `${step.kind}:${step.name}`)
        } else if (step.do === 'drop') {
          const left = model.filter(({ object_id }) => object_id !== `${step.name}`)
          expect(queue.removeAll(`${step.name}`)).toBe(left.length < model.length)
          model = left
        } else if (step.do === 'pop') {
          expect(queue.pop()).toBe(model.shift())
        } else {
          queue.clear()
          model = []
        }
        expect(queue.peek()).toBe(model[0])
        expect([queue.size, queue.busy]).toEqual([model.length, model.filter((t) => t.kind === 'deliver').length])
      }
    }),
  )
})

test('a caller can decide whether a timer keeps the sandbox busy, whatever its kind', () => {
  const queue = createDueQueue()
  queue.put(timer('1', 5, 0, 'link_timeout'), true)
  expect(queue.busy).toBe(1)
  queue.put(timer('1', 6, 1, 'link_timeout'))
  expect([queue.size, queue.busy]).toEqual([1, 0])
})

test('the last entry can move up after it fills the gap of a removed one', () => {
  const queue = createDueQueue()
  for (const due of [1, 100, 2, 101, 102, 50, 3]) queue.put(timer(`${due}`, due))
  queue.remove('bank_answer:101')
  expect(Array.from({ length: 6 }, () => queue.pop()?.object_id)).toEqual(['1', '2', '3', '50', '100', '102'])
})

test('the queue grows past its first capacity, also after it was cleared', () => {
  const queue = createDueQueue()
  for (const round of [1, 2]) {
    for (let i = 0; i < 5000; i++) queue.put(timer(`${i}`, (i * 7919) % 5000, round))
    if (round === 1) queue.clear()
  }
  const dues = Array.from({ length: 5000 }, () => queue.pop()?.due ?? 0)
  expect(dues).toEqual(dues.toSorted((a, b) => a - b))
  expect(queue.pop()).toBeUndefined()
})

test('the first busy timers are in order, however many expiries precede them', () => {
  const queue = createDueQueue()
  for (let i = 0; i < 50; i++) {
    queue.put(timer(`x${i}`, i, i, 'link_timeout'))
    queue.put(timer(`b${i}`, 100 - (i % 10), 50 - i))
  }
  const all = [...Array(50).keys()]
    .map((i) => timer(`b${i}`, 100 - (i % 10), 50 - i))
    .toSorted((a, b) => a.due - b.due || a.seq - b.seq)
  expect(queue.first(7, (_, isBusy) => isBusy)).toEqual(all.slice(0, 7))
  expect(queue.first(100, (_, isBusy) => isBusy)).toEqual(all)
  for (const { id } of all.slice(0, 20)) queue.remove(id)
  expect(queue.first(100, (_, isBusy) => isBusy)).toEqual(all.slice(20))
})
