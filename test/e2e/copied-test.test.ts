// The test to copy from the panel of the page passes with the built package, for each end of a payment.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { asTest } from '../../src/http/pages/reproductions.ts'
import { createPageFixture } from '../http/pages/fixtures.ts'

/** Below the package, so that `psp-sandbox/testing` resolves to it. */
const FOLDER = join(import.meta.dirname, 'copied')

const ENDS: readonly (readonly [status: string, body: object, fields: Record<string, string>])[] = [
  ['succeeded', { method: 'sbp' }, { act: 'approve' }],
  ['failed', { method: 'cards', order_id: `A'"$(1)\\` }, { act: 'decline', code: 'card_lost' }],
  ['expired', { method: 'sbp' }, { quick: 'no_response' }],
  ['expired', {}, { act: 'expire' }],
  // Payments that are still pending, with the planned end.
  ['succeeded', {}, {}],
  ['failed', { amount: 10_051 }, {}],
  ['failed', { metadata: { simulate: 'failed:card_lost@30s' } }, {}],
  ['expired', { amount: 10_068 }, {}],
  ['succeeded', { amount: 10_001 }, {}],
]

it('the test that is copied from the panel passes for each final status', async () => {
  mkdirSync(FOLDER, { recursive: true })
  try {
    for (const [number, [status, body, fields]] of ENDS.entries()) {
      const pages = await createPageFixture()
      const id = await pages.create({ description: 'Two tickets', return_url: 'https://shop.example/', ...body })
      if (Object.keys(fields).length > 0) await pages.post(id, 'act', fields)
      await pages.sandbox.timeline.advance({ by: fields['quick'] === 'no_response' ? 20 * 60_000 : 0 })
      const row = pages.sandbox.engine.world.get('payments', id)
      if (row === undefined) throw new Error(id)
      const text = asTest(row)
      expect(text).toContain(`'payment.${status}'`)
      writeFileSync(join(FOLDER, `${number}.mjs`), text)
      await pages.sandbox.close()
    }
    // Node would start a process for each file.
    const all = join(FOLDER, 'all.mjs')
    writeFileSync(all, ENDS.map((_, number) => `import './${number}.mjs'\n`).join(''))
    const { stdout } = await execa('node', ['--test', '--test-reporter=tap', all])
    expect(stdout).toContain(`# pass ${ENDS.length}`)
  } finally {
    rmSync(FOLDER, { recursive: true, force: true })
  }
})
