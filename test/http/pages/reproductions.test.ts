// The command to copy from the panel. test/e2e/copied-test.test.ts runs the test to copy.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { asCommand } from '../../../src/http/pages/reproductions.ts'
import { createPageFixture, type PageFixture } from './fixtures.ts'

const run = promisify(execFile)

let pages: PageFixture
afterEach(() => pages.sandbox.close())

/** Ends a payment as `act` says, and returns its row. */
async function ended(body: object, part: string, fields: Record<string, string>) {
  pages = await createPageFixture()
  const id = await pages.create(body)
  await pages.post(id, part, fields)
  await pages.sandbox.timeline.advance({ by: fields['quick'] === 'no_response' ? 20 * 60_000 : 0 })
  const row = pages.sandbox.engine.world.get('payments', id)
  if (row === undefined) throw new Error(id)
  return row
}

describe('a payment as a command', () => {
  it.each([
    [{ method: 'sbp' }, { act: 'approve' }, '--amount 150000 --method sbp --order-id A-1 --outcome succeeded'],
    [
      { description: "It's 5 ₽; rm -rf $HOME", method: 'cards' },
      { act: 'decline', code: 'card_lost' },
      `--amount 150000 --method cards --order-id A-1 --description 'It'\\''s 5 ₽; rm -rf $HOME' --outcome failed:card_lost`,
    ],
    [
      { method: 'tpay', currency: 'USD' },
      { quick: 'no_response' },
      '--amount 150000 --currency USD --method tpay --order-id A-1 --outcome pending\npsp clock advance 21m',
    ],
  ] as [object, Record<string, string>, string][])(
    'the payment %j after %j has the expected command',
    async (body, fields, text) => {
      expect(asCommand(await ended(body, 'act', fields), 'psp')).toBe(`psp payments create ${text}`)
    },
  )

  it('the command of a pending payment has its plan', async () => {
    pages = await createPageFixture()
    const commandOf = async (body: object) => {
      const row = pages.sandbox.engine.world.get('payments', await pages.create(body))
      return row === undefined ? '' : asCommand(row, 'psp')
    }
    expect(await commandOf({})).toBe('psp payments create --amount 150000 --order-id A-1')
    expect(await commandOf({ amount: 10_051 })).toContain(' --outcome failed:insufficient_funds')
    expect(await commandOf({ metadata: { simulate: 'pending' }, webhook_url: 'http://a.example/h?token=1' })).toBe(
      'psp payments create --amount 150000 --order-id A-1 --webhook-url http://a.example/h --outcome pending',
    )
  })

  it('a shell reads the quoted words as they are', async () => {
    const description = `a 'b' "c" $(d) \`e\` \\ f\n-- ₽`
    const row = await ended({ description }, 'act', { act: 'approve' })
    const { stdout } = await run('sh', ['-c', asCommand(row, 'psp').replace('psp', 'printf "%s|"')])
    expect(stdout.split('|')).toContain(description)
  })

  it('the panel and its commands name psp as it was started, and so does the health of the server', async () => {
    pages = await createPageFixture({ pspCommand: 'npx psp' })
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'act', { quick: 'no_response' })
    const page = await pages.open(id)
    expect(page).toContain('data-copy-text="npx psp payments create --amount 150000')
    expect(page).toContain('<code>npx psp clock advance</code>')
    expect(await pages.open(id, '?lang=ru')).toContain('<code>npx psp clock advance</code>')
    await pages.sandbox.timeline.advance({ by: 20 * 60_000 })
    expect(await pages.open(id)).toContain('\nnpx psp clock advance 21m"')
    expect(await (await pages.ask('/_psp/health')).json()).toMatchObject({ command: 'npx psp' })
    const cancelled = { ...(await ended({}, 'act', { act: 'approve' })), status: 'cancelled' as const }
    expect(asCommand(cancelled, 'npx psp')).toMatch(/\n# Then: npx psp payments cancel <id>$/)
  })
})
