// Real lines match the schemas of docs/reference/json-lines.md.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod'
import {
  createTestDir,
  type RunningPsp,
  startPsp,
  startReceiver,
  startTestServer,
  type TestReceiver,
  type TestServer,
  waitUntil,
} from '../cli/helpers.ts'
import * as lines from './json-lines.ts'

let testServer: TestServer
let app: TestReceiver
beforeAll(async () => {
  ;[testServer, app] = [await startTestServer(), await startReceiver()]
})
afterAll(async () => {
  await app.close()
  await testServer.close()
})

const read = ({ output }: RunningPsp) =>
  output()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { type?: string; kind?: string })

async function stop(running: RunningPsp) {
  running.signal('SIGINT')
  return await running.ended
}

/** Checks that every line has a schema, and that every schema has a line. */
function expectShapes(written: readonly { type?: string }[], shapes: Readonly<Record<string, z.ZodType>>) {
  for (const line of written) shapes[line.type ?? '']?.parse(line)
  expect([...new Set(written.map(({ type }) => type))].sort()).toEqual(Object.keys(shapes).sort())
}

describe('psp serve --json', () => {
  test('psp serve prints a ready line and then a line for each request', async () => {
    const folder = createTestDir()
    const server = startPsp(['serve', '--port', '0', '--json'], { cwd: folder.path })
    const { url, api_key } = (await waitUntil(() => read(server)[0])) as unknown as { url: string; api_key: string }
    const headers = { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' }
    await fetch(`${url}/v1/public/payments`, { method: 'POST', headers, body: '{"amount":10051}' })
    await fetch(`${url}/v1/public/payments`, { method: 'POST', headers, body: '{"amount":0}' })
    await waitUntil(() => read(server).length === 3)
    expectShapes(read(server), { ready: lines.serveReady, request: lines.serveRequest })
    await stop(server)
    folder.remove()
  })
})

describe('psp listen --json', () => {
  test('psp listen prints a ready line and then an event and an attempt for each webhook', async () => {
    const listening = testServer.startPsp(['listen', '--forward', `localhost:${app.port}/hooks`, '--json'])
    await waitUntil(() => read(listening)[0])
    app.response = { status: 500, body: 'no' }
    await testServer.psp('trigger payment.succeeded')
    await waitUntil(() => read(listening).some(({ type }) => type === 'attempt'))
    expectShapes(read(listening), { ready: lines.listenReady, event: lines.listenEvent, attempt: lines.listenAttempt })
    await stop(listening)
  })
})

test('`psp record --json` prints a ready line and then a line for each exchange', async () => {
  const folder = createTestDir()
  const argv = ['record', '--to', testServer.url, '--port', '0', '--out', 'a.har', '--json']
  const recording = startPsp(argv, { cwd: folder.path })
  const { url } = (await waitUntil(() => read(recording)[0])) as unknown as { url: string }
  await fetch(`${url}/v1/public/banks/sbp`)
  await waitUntil(() => read(recording)[1])
  expectShapes(read(recording), { ready: lines.recordReady, request: lines.recordRequest })
  await stop(recording)
  folder.remove()
})

test('`psp tail --json` prints the messages of the stream', async () => {
  const tail = testServer.startPsp(['tail', '--json'])
  await waitUntil(() => tail.errors().includes('Following'))
  await testServer.psp('trigger payment.refunded')
  await testServer.psp('trigger payout.failed')
  await waitUntil(() => read(tail).some(({ kind }) => kind === 'payout.status_changed'))
  for (const line of read(tail)) lines.tailLine.parse(line)
  expect(new Set(read(tail).map(({ kind }) => kind)).size).toBe(5)
  await stop(tail)
})
