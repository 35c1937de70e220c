import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { signalCode, watchSignals } from '../../../src/cli/process/signals.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'

test.each([
  ['SIGINT', 'SIGINT', 130],
  ['SIGBREAK', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
  ['SIGHUP', 'SIGHUP', 129],
] as const)('%s requests the end as %s with exit code %i', (sent, counted, code) => {
  const source = new EventEmitter()
  const signals = watchSignals(source, createSystemClock(), () => {})
  expect(signals.ended.aborted).toBe(false)
  source.emit(sent)
  expect(signals.ended.aborted).toBe(true)
  expect(signals.name()).toBe(counted)
  expect(signalCode(counted)).toBe(code)
  signals.close()
  expect(source.eventNames()).toEqual([])
})

test('a second SIGHUP of a closed terminal does not exit immediately, and a second SIGTERM does', () => {
  const [source, exits] = [new EventEmitter(), [] as number[]]
  let now = 0
  const signals = watchSignals(source, { ...createSystemClock(), monotonic: () => now }, (code) => exits.push(code))
  source.emit('SIGHUP')
  now = 10_000
  source.emit('SIGHUP')
  expect([exits, signals.name()]).toEqual([[], 'SIGHUP'])
  source.emit('SIGTERM')
  expect(exits).toEqual([143])
})
