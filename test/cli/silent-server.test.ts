// A port that takes connections and never answers, as a suspended server's does.

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { manualSystemClock } from '../time/manual-system-clock.ts'
import { psp, startPsp, waitUntil } from './helpers.ts'

let url: string
const sockets = new Set<Socket>()
const server = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => {})
})

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await new Promise<void>((resolve) => void server.close(() => resolve()))
})

test('a command says that it waits, and ends with 6', async () => {
  const systemClock = manualSystemClock(Date.now())
  const running = startPsp(['payments', 'list', '--url', url], { systemClock })
  await waitUntil(() => sockets.size === 1)
  await systemClock.advance(5000)
  await waitUntil(() => sockets.size === 2)
  expect(running.errors()).toBe(`${url} has not responded yet. Still waiting.\n`)
  await systemClock.advance(10_000)
  const { code, stderr } = await running.ended
  expect(code).toBe(6)
  expect(stderr).toContain(`error ${url} cannot be reached: the server does not respond, not even to a health check`)
})

test('wait ends with 7 when its time is up', async () => {
  const { code, stderr } = await psp(['wait', 'payment.succeeded', '--timeout', '300ms', '--url', url])
  expect(code).toBe(7)
  expect(stderr).toContain(`${url} did not respond within 300ms.`)
})

test('doctor says so', async () => {
  const { code, stdout } = await psp(['doctor', '--json', '--url', url])
  expect(code).toBe(1)
  const { checks } = JSON.parse(stdout)
  expect(checks.find((check: { name: string }) => check.name === 'server')).toMatchObject({
    result: 'fail',
    found: `${url} accepts connections but does not respond`,
  })
})
