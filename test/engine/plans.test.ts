import { describe, expect, it } from 'vitest'
import { startWorld } from './bench-world.ts'

const outcome = (created: { object: { plan: { outcome: string; decided_by: string } } }) =>
  `${created.object.plan.outcome} by ${created.object.plan.decided_by.replace(/ rul_.*/, '')}`

describe('the plan of a payment', () => {
  const magic = { amount: 10_051, metadata: { simulate: 'pending' } }

  it('comes from the first of these that has one: a rule, the header, metadata, a magic value, the default', () => {
    const world = startWorld()
    const rule = world.run('add_rule', { plan: 'failed:call_issuer' })
    const header = { plan: { outcome: 'requires_action' } } as const
    expect(outcome(world.create(magic, header))).toBe('failed by rule')
    world.run('remove_rules', { id: rule.id })
    expect(outcome(world.create(magic, header))).toBe('requires_action by header')
    expect(outcome(world.create(magic))).toBe('pending by metadata')
    expect(outcome(world.create({ amount: 10_051 }))).toBe('failed by magic amount 51')
    expect(outcome(world.create())).toBe('succeeded by default')
  })

  it('ignores an invalid metadata.simulate and warns', () => {
    const created = startWorld().create({ metadata: { simulate: 'failed:card_lots@5s' } })
    expect(outcome(created)).toBe('succeeded by default')
    expect(created.warnings).toEqual([
      'metadata.simulate "failed:card_lots@5s" is not a plan and was ignored. Did you mean failed:card_lost@5s?',
    ])
  })

  it('ignores magic values and metadata.simulate in live mode', () => {
    const world = startWorld()
    const live = { caller: { ...world.caller, mode: 'live' as const } }
    expect(outcome(world.create(magic, live))).toBe('succeeded by default')
    expect(world.create({}, live).object.metadata).toEqual({
      mode: 'live',
      bank_ref: expect.stringMatching(/^\d{16}$/),
    })
  })

  it('counts a rule down, applies each n-th match, and uses a sequence in order', () => {
    const world = startWorld()
    world.run('add_rule', { plan: 'failed', every: 3, match: { order_id: 'a-*' } })
    world.run('add_rule', { plan: ['failed', 'pending', 'succeeded'], times: 4, match: { order_id: 'b' } })
    const many = (order_id: string, n: number) =>
      Array.from({ length: n }, () => world.create({ order_id }).object.plan.outcome)
    expect(many('a-1', 6)).toEqual(['succeeded', 'succeeded', 'failed', 'succeeded', 'succeeded', 'failed'])
    expect(many('b', 5)).toEqual(['failed', 'pending', 'succeeded', 'succeeded', 'succeeded'])
    expect(many('c', 1)).toEqual(['succeeded'])
  })

  it('counts a rule that rejects the request, although nothing is created', () => {
    const world = startWorld()
    world.run('add_rule', { plan: 'error:aml_blocked', times: 1 })
    expect(() => world.create()).toThrow(expect.objectContaining({ code: 'aml_blocked', status: 403 }))
    expect(world.engine.world.size('payments')).toBe(0)
    expect(world.create().object.status).toBe('pending')
  })

  it('rejects rules and faults without effect', () => {
    const world = startWorld()
    expect(() => world.run('add_rule', { plan: 'fail' })).toThrow(/The plans are succeeded/)
    expect(() => world.run('add_rule', { plan: 'failed', match: { color: 'red' } })).toThrow(/match.color/)
    expect(() => world.run('add_fault', { target: 'api', fault: 'latency:2' })).toThrow(/latency:2s/)
  })
})

describe('idempotency', () => {
  const key = (fingerprint = 'f') => ({ idempotency: { key: 'k', fingerprint } })

  it('returns the current object for the same request and a conflict for another', () => {
    const world = startWorld()
    const first = world.create({}, key())
    world.advance(2000)
    const second = world.create({}, key())
    expect(second).toMatchObject({ repeated: true, object: { id: first.object.id, status: 'succeeded' } })
    expect(() => world.create({}, key('g'))).toThrow(expect.objectContaining({ code: 'idempotent_conflict' }))
  })

  it('does not store the key of a rejected request', () => {
    const world = startWorld()
    expect(() => world.create({}, { ...key(), plan: { outcome: 'error', code: 'aml_blocked' } })).toThrow()
    expect(world.create({}, key('g')).repeated).toBe(false)
  })
})

describe('a commit', () => {
  it('changes and publishes nothing if it cannot be stored', () => {
    const world = startWorld()
    const told = world.stream.length
    world.log.failing = true
    expect(() => world.create()).toThrow('disk full')
    expect(world.engine.world.size('payments')).toBe(0)
    expect(world.stream.length).toBe(told)
  })
})
