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
    'an address of a network rather than of a container bridge',
    { lo: LOOPBACK, docker0: [info('172.17.0.1')], 'br-1a': [info('172.18.0.1')], wlan0: [info('192.0.2.5')] },
    '192.0.2.5',
  ],
  ['a bridge if there is nothing else', { lo: LOOPBACK, docker0: [info('172.17.0.1')] }, '172.17.0.1'],
  ['no link-local address', { lo: LOOPBACK, eth0: [info('169.254.3.4')] }, undefined],
  ['no address without a network', { lo: LOOPBACK }, undefined],
])('other machines are given %s', (_, interfaces, address) => {
  expect(reachableAddress(interfaces as unknown as NodeJS.Dict<NetworkInterfaceInfo[]>)).toBe(address)
})
