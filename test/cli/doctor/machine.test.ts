// What a test cannot make of this machine: full disks, foreign folders, a loopback without IPv6.
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { checkDisk, type DiskPort } from '../../../src/cli/commands/doctor/disk.ts'
import { checkLoopback } from '../../../src/cli/commands/doctor/network.ts'
import type { Session } from '../../../src/cli/session.ts'

const session = (values: object = {}) =>
  ({
    values: { data: '.psp', ephemeral: false, ...values },
    host: { cwd: '/home/dev/shop', paths: posix },
  }) as unknown as Session

const MIB = 1024 * 1024
const disk = (parts: Partial<DiskPort> = {}): DiskPort => ({
  exists: (path) => path === '/home/dev/shop',
  isFolder: () => true,
  writable() {},
  free: () => 5000 * MIB,
  ...parts,
})

const failing = (code: string) => ({
  writable() {
    throw Object.assign(new Error(code), { code })
  },
})

test.each([
  ['plenty', {}, 'ok', /5000 MiB are free/],
  ['not told', { free: () => undefined }, 'ok', /\.psp can be written to$/],
  ['little', { free: () => 50 * MIB }, 'warn', /50 MiB are free on the disk of \.psp/],
  ['as good as none', { free: () => 1 * MIB }, 'fail', /1 MiB are free/],
  ['none of this user', failing('EACCES'), 'fail', /\/home\/dev\/shop cannot be written to: permission denied/],
  ['a read-only one', failing('EROFS'), 'fail', /cannot be written to: the file system is read-only/],
])('disk: %s', (_, parts, result, found) => {
  const told = checkDisk(session(), disk(parts))
  expect(told).toMatchObject({ result, found: expect.stringMatching(found) })
  if (result !== 'ok') expect(told.fix).toMatch(/--data/)
})

test('disk: nothing is asked of it with --ephemeral', () => {
  expect(checkDisk(session({ ephemeral: true }), disk(failing('EACCES')))).toMatchObject({ result: 'ok' })
})

test('loopback: without ::1, and without 127.0.0.1', async () => {
  const listen = (broken: readonly string[]) => async (_: number, host: string) =>
    broken.includes(host) ? 'EADDRNOTAVAIL' : undefined
  expect(await checkLoopback(undefined, listen([]))).toMatchObject({ result: 'ok', found: '127.0.0.1 and ::1' })
  expect(await checkLoopback(undefined, listen(['::1']))).toMatchObject({
    result: 'warn',
    found: expect.stringContaining('no ::1 (EADDRNOTAVAIL)'),
    fix: expect.stringContaining('127.0.0.1 in its URL'),
  })
  expect(await checkLoopback(undefined, listen(['127.0.0.1', '::1']))).toMatchObject({
    result: 'fail',
    fix: 'Bring the loopback interface up.',
  })
})
