// Findings that tests cannot cause on this machine: full disks, missing permissions, a loopback without IPv6.
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { checkDisk, type DiskPort } from '../../../src/cli/commands/doctor/data-checks.ts'
import { checkLoopback } from '../../../src/cli/commands/doctor/machine-checks.ts'
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
  ['enough space', {}, 'ok', /5000 MiB are free/],
  ['unknown space', { free: () => undefined }, 'ok', /\.psp can be written to$/],
  ['little space', { free: () => 50 * MIB }, 'warn', /50 MiB are free on the disk of \.psp/],
  ['almost no space', { free: () => 1 * MIB }, 'fail', /1 MiB are free/],
  [
    'a directory of another user',
    failing('EACCES'),
    'fail',
    /\/home\/dev\/shop cannot be written to: permission denied/,
  ],
  ['a read-only file system', failing('EROFS'), 'fail', /cannot be written to: the file system is read-only/],
])('the disk check reports a disk with %s', (_, parts, result, found) => {
  const finding = checkDisk(session(), disk(parts))
  expect(finding).toMatchObject({ result, found: expect.stringMatching(found) })
  if (result !== 'ok') expect(finding.fix).toMatch(/--data/)
})

test('the disk check writes nothing with --ephemeral', () => {
  expect(checkDisk(session({ ephemeral: true }), disk(failing('EACCES')))).toMatchObject({ result: 'ok' })
})

test('the loopback check reports a missing ::1 or 127.0.0.1', async () => {
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
