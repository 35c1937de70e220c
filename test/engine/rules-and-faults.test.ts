// Rules and faults: how often they apply, and how they combine.
import { describe, expect, test } from 'vitest'
import { canCombine, FAULT_TARGETS, type FaultTarget } from '../../src/domain/faults.ts'
import type { SandboxTime } from '../../src/domain/time.ts'
import { consumeFaults } from '../../src/engine/rules-and-faults.ts'
import { startWorld } from './bench-world.ts'

type World = ReturnType<typeof startWorld>

const take = (world: World, target: FaultTarget = 'webhook', facts: object = { event: 'payment.succeeded' }) =>
  world.run('consume_faults', { target, facts: facts as never }).map(({ fault }) => fault)

const times = (count: number, work: () => unknown) => Array.from({ length: count }, work)

describe('how often a fault applies', () => {
  test('a fault counts down and remains in the list when it is used up', () => {
    const world = startWorld()
    const { id } = world.run('add_fault', { target: 'webhook', fault: 'drop', times: 2 })
    expect(times(3, () => take(world))).toEqual([['drop'], ['drop'], []])
    expect(world.engine.world.get('faults', id)).toMatchObject({ times: 0, matched: 2, applied: 2 })
  })

  test('a fault applies to every third match, and times counts only those', () => {
    const world = startWorld()
    const { id } = world.run('add_fault', { target: 'webhook', fault: 'drop', every: 3, times: 2 })
    expect(times(10, () => take(world).length)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 0, 0])
    expect(world.engine.world.get('faults', id)).toMatchObject({ times: 0, matched: 6, applied: 2 })
  })

  test('a request that does not match is not counted', () => {
    const world = startWorld()
    const match = { event: 'payment.*', attempt: 1 }
    const { id } = world.run('add_fault', { target: 'webhook', fault: 'drop', match })
    expect(take(world, 'webhook', { event: 'payout.failed', attempt: 1 })).toEqual([])
    expect(take(world, 'webhook', { event: 'payment.failed', attempt: 2 })).toEqual([])
    expect(take(world, 'api', { event: 'payment.failed', attempt: 1 })).toEqual([])
    expect(take(world, 'webhook', { event: 'payment.failed', attempt: 1 })).toEqual(['drop'])
    expect(world.engine.world.get('faults', id)).toMatchObject({ matched: 1, applied: 1 })
  })

  test('a fault with probability 0 never applies, and one with 1 always does', () => {
    const world = startWorld()
    world.run('add_fault', { target: 'webhook', fault: 'tamper', probability: 0 })
    world.run('add_fault', { target: 'webhook', fault: 'unsigned', probability: 1 })
    expect(times(200, () => take(world))).toEqual(times(200, () => ['unsigned']))
  })

  test('a fault with probability 0 does not apply to the smallest random number', () => {
    const world = startWorld()
    world.run('add_fault', { target: 'webhook', fault: 'drop', probability: 0 })
    const random = { uuid: () => '', token: () => '', draw: () => 0 }
    const context = { now: 0 as SandboxTime, commitNumber: 1, random }
    const { result } = consumeFaults({ target: 'webhook', facts: {} }, world.engine.world, context)
    expect(result).toEqual([])
  })

  test('a probability uses the seeded generator and gives the same result on every run', () => {
    const drawn = () => {
      const world = startWorld()
      world.run('add_fault', { target: 'webhook', fault: 'drop', probability: 0.3 })
      return times(400, () => take(world).length)
    }
    const first = drawn()
    const applied = first.filter((count) => count === 1).length
    expect(applied).toBeGreaterThan(80)
    expect(applied).toBeLessThan(160)
    expect(drawn()).toEqual(first)
  })

  test('a fault that its probability skips does not count down', () => {
    const world = startWorld()
    const { id } = world.run('add_fault', { target: 'webhook', fault: 'drop', probability: 0.5, times: 3 })
    const applied = times(100, () => take(world).length).filter((count) => count === 1)
    expect(applied).toHaveLength(3)
    expect(world.engine.world.get('faults', id)).toMatchObject({ times: 0, applied: 3 })
  })
})

describe('several faults', () => {
  test('a second fault of the same name waits for the next request', () => {
    const world = startWorld()
    world.run('add_fault', { target: 'api', fault: 'status:503', times: 1 })
    world.run('add_fault', { target: 'api', fault: 'status:429', times: 1 })
    expect(times(3, () => take(world, 'api', {}))).toEqual([['status:429'], ['status:503'], []])
  })

  test('a fault that conflicts with another is not reported as applied', () => {
    const world = startWorld()
    world.run('add_fault', { target: 'webhook', fault: 'tamper', times: 1 })
    world.run('add_fault', { target: 'webhook', fault: 'delay:1s', times: 1 })
    world.run('add_fault', { target: 'webhook', fault: 'drop', times: 1 })
    expect(times(2, () => take(world))).toEqual([['drop', 'delay:1s'], ['tamper']])
  })

  test.each([
    ['api', 'status', 'cut', false],
    ['api', 'reset', 'cut', false],
    ['api', 'latency', 'cut', true],
    ['webhook', 'unsigned', 'wrong_secret', false],
    ['webhook', 'v1_only', 'wrong_secret', true],
    ['webhook', 'stale', 'future', false],
    ['webhook', 'tamper', 'duplicate', true],
    ['webhook', 'drop', 'reorder', true],
    ['stream', 'drop', 'disconnect', false],
    ['stream', 'drop', 'stall', true],
    ['redirect', 'delay', 'drop', true],
  ] as const)('%s: %s and %s at once: %s', (target, a, b, both) => {
    expect([canCombine(target, a, b), canCombine(target, b, a)]).toEqual([both, both])
  })

  test('no fault applies twice to one request', () => {
    for (const target of Object.keys(FAULT_TARGETS) as FaultTarget[]) {
      for (const name of FAULT_TARGETS[target]) expect(canCombine(target, name, name)).toBe(false)
    }
  })
})

describe('rules', () => {
  test('a rule that skips its turn leaves the decision to an older rule', () => {
    const world = startWorld()
    world.run('add_rule', { plan: 'pending' })
    world.run('add_rule', { plan: 'failed', every: 2 })
    const outcomes = times(4, () => world.create().object.plan.outcome)
    expect(outcomes).toEqual(['pending', 'failed', 'pending', 'failed'])
  })

  test('a replay of an idempotent request does not count', () => {
    const world = startWorld()
    const rule = world.run('add_rule', { plan: 'failed' })
    const idempotency = { key: 'k', fingerprint: 'f' } as never
    world.create({}, { idempotency })
    world.create({}, { idempotency })
    expect(world.engine.world.get('rules', rule.id)).toMatchObject({ matched: 1, applied: 1 })
  })
})

describe('the list of faults', () => {
  const fault = (name: string) => ({ target: 'webhook', fault: name }) as const
  const names = (world: World) => [...world.engine.world.rows('faults')].map((row) => row.fault)

  test('loses one fault or all', () => {
    const world = startWorld()
    const [first] = ['drop', 'tamper', 'hold'].map((name) => world.run('add_fault', fault(name)))
    world.run('remove_faults', { id: first?.id ?? '' })
    expect(names(world)).toEqual(['tamper', 'hold'])
    const missing = expect.objectContaining({ code: 'not_found', message: 'There is no fault none.' })
    expect(() => world.run('remove_faults', { id: 'none' })).toThrow(missing)
    world.run('remove_faults', {})
    expect(names(world)).toEqual([])
  })

  test('is replaced in one commit', () => {
    const world = startWorld()
    const [first] = ['drop', 'tamper'].map((name) => world.run('add_fault', fault(name)))
    const before = world.log.lastLine
    const added = world.run('replace_faults', { remove: [first?.id ?? ''], add: [fault('hold'), fault('unsigned')] })
    expect([added.map((row) => row.fault), names(world), world.log.lastLine - before]).toEqual([
      ['hold', 'unsigned'],
      ['tamper', 'hold', 'unsigned'],
      1,
    ])
  })
})
