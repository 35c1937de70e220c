import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { reachableAddress } from '../../src/node/reachable-address.ts'

const info = (address: string, internal = false) =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo

const LOOPBACK = [info('127.0.0.1', true), info('::1', true)]

test.each([
  ['the first IPv4 address', { lo: LOOPBACK, eth0: [info('2001:db8::1'), info('192.0.2.5')] }, '192.0.2.5'],
  [
    'an IPv6 address if there is no other',
    { lo: LOOPBACK, eth0: [info('fe80::1'), info('2001:db8::1')] },
    '2001:db8::1',
  ],
  [
    'no bridge of containers if there is a network',
    { lo: LOOPBACK, docker0: [info('172.17.0.1')], 'br-1a': [info('172.18.0.1')], wlan0: [info('192.0.2.5')] },
    '192.0.2.5',
  ],
  ['a bridge if there is nothing else', { lo: LOOPBACK, docker0: [info('172.17.0.1')] }, '172.17.0.1'],
  ['no address that a network did not assign', { lo: LOOPBACK, eth0: [info('169.254.3.4')] }, undefined],
  ['nothing without a network', { lo: LOOPBACK }, undefined],
])('the address of a machine for others is %s', (_, interfaces, address) => {
  expect(reachableAddress(interfaces as unknown as NodeJS.Dict<NetworkInterfaceInfo[]>)).toBe(address)
})
