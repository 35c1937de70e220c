import { expect, test } from 'vitest'
import { clockFaults } from './clocks.ts'
import { sources } from './source.ts'

test('only the system clock module reads a clock or sets a timer, and only random.ts generates randomness', () => {
  expect(clockFaults(sources('src'))).toEqual([])
})

test.each([
  ['Date.now()', 'Date.now'],
  ["Date['now']()", 'Date.now'],
  ['const at = { now: Date.now }', 'Date.now'],
  ['new Date()', 'new Date()'],
  ['Date()', 'Date()'],
  ['performance.now()', 'performance'],
  ['setTimeout(() => {}, 1)', 'setTimeout'],
  ['const later = setInterval', 'setInterval'],
  ['globalThis.setImmediate(f)', 'globalThis.setImmediate'],
  ['Math.random()', 'Math.random'],
  ['AbortSignal.timeout(1)', 'AbortSignal.timeout'],
  ['process.hrtime.bigint()', 'process.hrtime'],
  ['crypto.randomUUID()', 'crypto.randomUUID'],
  ['nodeCrypto.randomBytes(8)', 'nodeCrypto.randomBytes'],
  ["import { createHmac, randomBytes as bytes } from 'node:crypto'", 'randomBytes'],
  ["import { setTimeout as sleep } from 'node:timers/promises'", 'node:timers/promises'],
])('the check sees %s', (code, name) => {
  expect(clockFaults([{ path: 'src/engine/a.ts', text: `\n${code}` }])).toEqual([
    expect.stringContaining(`src/engine/a.ts:2 uses ${name}:`),
  ])
})

test.each([
  ['src/engine/a.ts', 'new Date(now)'],
  ['src/engine/a.ts', 'interface Timers { setTimeout(fn: () => void, ms: number): void }'],
  ['src/engine/a.ts', 'clock.setTimeout(f, 1); clock.now(); random.uuid()'],
  ['src/engine/a.ts', 'const clock = { setTimeout: fake }'],
  ['src/engine/a.ts', "import { createHmac } from 'node:crypto'"],
  ['src/system-clock/a.ts', 'setTimeout(f, 1)'],
  ['src/webhooks/a.ts', 'const verify = ({ now = Date.now() }) => now'],
])('the check lets %s be: %s', (path, text) => {
  expect(clockFaults([{ path, text }])).toEqual([])
})
