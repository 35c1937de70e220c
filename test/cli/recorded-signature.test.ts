// The signature of a webhook is checked while it is recorded, because its body may be masked in the recording.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signatureHeader } from '../../src/domain/signatures.ts'
import {
  createTestDir,
  jsonOf,
  startPsp,
  startReceiver,
  startTestServer,
  type TestServer,
  waitUntil,
} from './helpers.ts'

const SECRET = 'whs_production0secret0of0the0endpoint00'
const BODY =
  '{"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00Z","data":{"id":"pay_1","order_id":"A-7","customer_card_holder":"ANNA IVANOVA"}}'
const SINCE = 'valid when it was recorded; the body has been masked since'

const cleanups: (() => unknown)[] = []
let server: TestServer
let cwd = ''
beforeEach(async () => {
  const folder = createTestDir()
  cwd = folder.path
  server = await startTestServer()
  cleanups.push(folder.remove, server.close)
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Records a webhook that is signed with `secret`. */
async function record(secret: string, ...flags: string[]) {
  const handler = await startReceiver()
  cleanups.push(handler.close)
  const argv = [
    'record',
    '--to',
    `http://127.0.0.1:${handler.port}`,
    '--port',
    '0',
    '--out',
    'a.har',
    '--json',
    '--force',
    ...flags,
  ]
  const running = startPsp(argv, { cwd })
  const line = await waitUntil(() => /^\{"type":"ready".*$/m.exec(running.output())?.[0])
  const timestamp = Math.floor(Date.now() / 1000)
  await fetch(JSON.parse(line).url, {
    method: 'POST',
    headers: { 'X-PSP-Signature': signatureHeader({ body: BODY, secret, timestamp }) },
    body: BODY,
  })
  running.signal('SIGINT')
  await running.ended
  return JSON.parse(readFileSync(join(cwd, 'a.har'), 'utf8')).log.entries[0]
}

const run = (line: string) => server.psp(line, { cwd })

test('a webhook with a masked body has the verdict of the recording, in the file and after the import', async () => {
  const entry = await record(SECRET, '--secret', SECRET)
  expect(entry._signature).toEqual({
    result: 'valid',
    secret_check: expect.stringMatching(/^[\da-f]{8}$/),
    is_masked: true,
  })
  expect(entry.request.postData.text).not.toContain('ANNA')
  const { code, stdout, stderr } = await run(`events import a.har --secret ${SECRET}`)
  expect([code, stdout + stderr]).toEqual([0, expect.stringContaining(`1 ${SINCE}`)])
  expect(stderr).not.toContain('not valid')
  const { items } = jsonOf(await run('events list --imported --json')) as { items: { id: string; signature: string }[] }
  expect(items).toMatchObject([{ signature: 'valid_when_recorded', cause: null }])
  expect((await run(`events get ${items[0]?.id}`)).stdout).toContain(SINCE)
  const handler = await startReceiver()
  cleanups.push(handler.close)
  expect((await run(`events replay --imported --to http://127.0.0.1:${handler.port}`)).stderr).toContain(
    `was ${SINCE}.`,
  )
})

test('a given secret that differs from the secret of the recording is reported, with the exit code of a failed verification', async () => {
  const entry = await record(SECRET, '--secret', SECRET)
  expect(JSON.stringify(entry)).not.toContain(SECRET)
  const other = 'whs_another0secret0of0another0endpoint0'
  const { code, stderr } = await run(`events import a.har --secret ${other}`)
  expect([code, stderr]).toEqual([8, expect.stringContaining('wrong_secret: No given secret matches')])
  expect((await run('events list --imported --json')).stdout).toContain('"signature":"invalid"')
  expect((await run(`events import a.har --replace --secret ${other} --secret ${SECRET}`)).code).toBe(0)
  expect((await run('events list --imported --json')).stdout).toContain('"signature":"valid_when_recorded"')
})

test('an invalid signature stays invalid with its cause, although the body was masked', async () => {
  const entry = await record('whs_another0secret0of0another0endpoint0', '--secret', SECRET)
  expect(entry._signature).toMatchObject({ result: 'invalid', cause: expect.any(String), is_masked: true })
  const { code, stderr } = await run(`events import a.har --secret ${SECRET}`)
  expect([code, stderr]).toEqual([8, expect.stringContaining('was checked at the time of the recording.')])
})

test('a masked webhook that was recorded without a secret is unchecked, and not invalid', async () => {
  expect((await record(SECRET))._signature).toEqual({ result: 'unchecked', is_masked: true })
  const { code, stderr } = await run(`events import a.har --secret ${SECRET}`)
  expect(code).toBe(0)
  expect(stderr).toContain('1 signature cannot be checked, because the body was masked when it was recorded.')
  expect((await run('events list --imported --json')).stdout).toContain('"cause":"body_masked"')
})

test('a webhook with an unchanged body is checked again at the import', async () => {
  expect((await record(SECRET, '--keep-personal-data'))._signature).toEqual({ result: 'unchecked', is_masked: false })
  const { code, stdout } = await run(`events import a.har --secret ${SECRET} --json`)
  expect([code, JSON.parse(stdout).signatures]).toEqual([0, { valid: 1 }])
})
