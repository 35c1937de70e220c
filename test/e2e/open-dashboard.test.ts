// `psp serve --open` and `psp ui --web` with a program instead of the browser.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BIN } from './helpers.ts'

const TOKEN = 'a-token-of-this-test'

let folder: string
let opened: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'psp-open-'))
  opened = join(folder, 'opened')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Writes a program that takes the place of the browser. */
function writeBrowser(script: string): void {
  const file = join(folder, 'xdg-open')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}

function start(...words: readonly string[]) {
  const env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, PSP_PORT: '0' }
  return execa(BIN, words, { cwd: folder, env, extendEnv: false, reject: false, all: true })
}

const openedUrl = () => (existsSync(opened) ? readFileSync(opened, 'utf8').trim() : '')

test.runIf(process.platform === 'linux').each([
  ['serve --open', ['serve', '--ephemeral', '--control-token', TOKEN, '--open']],
  ['ui --web', ['ui', '--web', '--control-token', TOKEN]],
])('psp %s opens a link that contains the token', async (_line, words) => {
  writeBrowser(`echo "$1" > ${opened}.part; mv ${opened}.part ${opened}`)
  const running = start(...words)
  await expect.poll(openedUrl).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/#token=${TOKEN}$`))
  running.kill('SIGINT')
  expect((await running).exitCode).toBe(0)
})

test.runIf(process.platform === 'linux')('a server without a browser continues, and names the link', async () => {
  writeBrowser('exit 3')
  const running = start('serve', '--ephemeral', '--open')
  await new Promise<void>((resolve) => {
    running.all.on('data', (chunk) => {
      if (String(chunk).includes('The browser could not be started')) resolve()
    })
  })
  running.kill('SIGINT')
  const { exitCode, all } = await running
  expect([exitCode, all]).toEqual([0, expect.stringMatching(/Open http:\/\/127\.0\.0\.1:\d+\/ yourself\./)])
})
