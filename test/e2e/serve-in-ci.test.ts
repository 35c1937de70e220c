// The job of docs/guides/testing-in-ci.md finds its server and ends it.

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { BIN, createWorkspace } from './helpers.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const GUIDE = readFileSync(join(ROOT, 'docs/guides/testing-in-ci.md'), 'utf8')
const JOB = /- run: \|\n((?: {10}.*\n)+)/.exec(GUIDE)?.[1]?.replace(/^ {10}/gm, '') ?? ''

/** Tests that record the pid of the server and exit with a given code. */
const TESTS = `const { writeFileSync } = require('node:fs')
fetch(process.env.PSP_URL + '/_psp/health').then(async (reply) => {
  const { pid, data } = await reply.json()
  writeFileSync('seen.json', JSON.stringify({ pid, data, file: require('./psp.json') }))
  process.exitCode = Number(process.env.TESTS_END_WITH)
})`

let stranger: Server
let workspace: ReturnType<typeof createWorkspace>
beforeAll(async () => {
  // Another program at the default port is always ready, so a job that uses it by mistake fails.
  stranger = createServer((_, response) => response.end('{"status":"ok","version":"0","pid":1,"data":"/elsewhere"}'))
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void stranger.close())
beforeEach(() => {
  workspace = createWorkspace()
  mkdirSync(join(workspace.cwd, 'node_modules/.bin'), { recursive: true })
  symlinkSync(BIN, join(workspace.cwd, 'node_modules/.bin/psp'))
  writeFileSync(join(workspace.cwd, 'tests.cjs'), TESTS)
  writeFileSync(join(workspace.cwd, 'package.json'), '{"private":true,"scripts":{"test":"node tests.cjs"}}')
})
afterEach(() => workspace.remove())

test.each([0, 3])('the job of the guide exits with the code of its tests: %i', async (code) => {
  const { port } = stranger.address() as { port: number }
  const ran = await execa('bash', ['-e', '-c', JOB], {
    cwd: workspace.cwd,
    extendEnv: false,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      TMPDIR: tmpdir(),
      PSP_PORT: String(port),
      TESTS_END_WITH: String(code),
    },
    stdin: 'ignore',
    reject: false,
    all: true,
    timeout: 150_000,
  })
  expect(ran.exitCode, ran.all).toBe(code)
  const { pid, data, file } = JSON.parse(readFileSync(join(workspace.cwd, 'seen.json'), 'utf8'))
  expect([file.pid, file.data, data]).toEqual([pid, null, null])
  expect(() => process.kill(pid, 0)).toThrow()
  expect(existsSync(join(workspace.cwd, 'psp.json'))).toBe(false)
})
