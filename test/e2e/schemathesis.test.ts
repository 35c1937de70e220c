// Schemathesis generates requests from the documents and holds each response against them. It finds nothing.
import { cpSync } from 'node:fs'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasSchemathesis, needs, SCHEMATHESIS } from './clients/tools.ts'
import { createWorkspace } from './helpers.ts'

const PROFILE = new URL('../schemathesis/', import.meta.url).pathname

/** Magic amounts and unknown banks get 5xx, as the specification says. */
const WITHOUT_MAGIC = ['--set', 'magic=false', '--set', 'unknown_bank=bank_unknown', '--random-seed', '1']

/** The runs take half a minute on an idle machine. */
const LONG = 600_000

// CI installs it, so a run that skips it cannot pass there.
const isRequired = process.env['PSP_REQUIRE_SCHEMATHESIS'] === '1'

describe.skipIf(!hasSchemathesis && !isRequired)(`Schemathesis (${needs('schemathesis')})`, () => {
  test.concurrent.each([
    { document: 'public', path: '/openapi.json', examples: 20 },
    { document: 'control', path: '/_psp/openapi.json', examples: 6 },
  ])(
    'finds nothing wrong with the $document API',
    async ({ path, examples }) => {
      const sandbox = createWorkspace()
      onTestFinished(() => sandbox.remove())
      cpSync(PROFILE, sandbox.cwd, { recursive: true })
      const { ready } = await sandbox.serve('--ephemeral', '--seed', 'seed.json', ...WITHOUT_MAGIC)
      const { url, api_key, signing_secret } = ready
      const args = ['--config-file', 'schemathesis.toml', '--no-color', 'run', `${url}${path}`, '--checks', 'all']
      const header = ['--header', `Authorization: Bearer ${api_key}`]
      const { exitCode, all } = await execa(
        SCHEMATHESIS,
        [...args, '--max-examples', String(examples), ...(path === '/openapi.json' ? header : [])],
        { cwd: sandbox.cwd, env: { PSP_URL: url, PSP_SIGNING_SECRET: signing_secret }, all: true, reject: false },
      )
      expect([exitCode, exitCode === 0 ? '' : all]).toEqual([0, ''])
    },
    LONG,
  )
})
