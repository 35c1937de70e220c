// Real lines match the schemas of docs/reference/json-lines.md.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { type Running, start, temporaryFolder, until } from '../cli/rig.ts'
import { type Receiver, receiver, type ServerRig, serverRig } from '../cli/server-rig.ts'
import * as lines from './json-lines.ts'

let rig: ServerRig
let app: Receiver
beforeAll(async () => {
  ;[rig, app] = [await serverRig(), await receiver()]
})
afterAll(async () => {
  await app.close()
  await rig.close()
})

const read = ({ output }: Running) =>
  output()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { type?: string; kind?: string })

async function stop(running: Running) {
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
    const folder = temporaryFolder()
    const server = start(['serve', '--port', '0', '--json'], { cwd: folder.path })
    const { url, api_key } = (await until(() => read(server)[0])) as unknown as { url: string; api_key: string }
    const headers = { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' }
    await fetch(`${url}/v1/public/payments`, { method: 'POST', headers, body: '{"amount":10051}' })
    await fetch(`${url}/v1/public/payments`, { method: 'POST', headers, body: '{"amount":0}' })
    await until(() => read(server).length === 3)
    expectShapes(read(server), { ready: lines.serveReady, request: lines.serveRequest })
    await stop(server)
    folder.remove()
  })
})

describe('psp listen --json', () => {
  test('psp listen prints a ready line and then an event and an attempt for each webhook', async () => {
    const listening = rig.start(['listen', '--forward', `localhost:${app.port}/hooks`, '--json'])
    await until(() => read(listening)[0])
    app.answer = { status: 500, body: 'no' }
    await rig.psp('trigger payment.succeeded')
    await until(() => read(listening).some(({ type }) => type === 'attempt'))
    expectShapes(read(listening), { ready: lines.listenReady, event: lines.listenEvent, attempt: lines.listenAttempt })
    await stop(listening)
  })
})

test('`psp tail --json` prints the messages of the stream', async () => {
  const tail = rig.start(['tail', '--json'])
  await until(() => tail.errors().includes('Following'))
  await rig.psp('trigger payment.refunded')
  await rig.psp('trigger payout.failed')
  await until(() => read(tail).some(({ kind }) => kind === 'payout.status_changed'))
  for (const line of read(tail)) lines.tailLine.parse(line)
  expect(new Set(read(tail).map(({ kind }) => kind)).size).toBe(5)
  await stop(tail)
})
