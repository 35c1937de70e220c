// The help shows ids in their real form, so that readers recognize them, and `npx psp` if npm started it.
import { describe, expect, test } from 'vitest'
import { invocationName } from '../../../src/cli/host-process.ts'
import { ID_EXAMPLES } from '../../../src/domain/id-examples.ts'
import { assembleSandbox } from '../../../src/sandbox.ts'
import { everyCommand, psp } from '../helpers.ts'

/** Secrets and keys have prefixes too. */
const SECRETS = ['whs', 'thm', 'sk_test', 'sk_live']
const PREFIXES = [...Object.values(ID_EXAMPLES).flatMap((form) => /^(\w+)_…$/.exec(form)?.[1] ?? []), ...SECRETS]

describe.each(everyCommand().map(({ path, command }) => [path, command] as const))('psp %s', (_, command) => {
  const texts = [
    ...command.examples.flat(),
    ...Object.values(command.args).map(({ description }) => description),
    ...Object.values(command.flags).map(({ description }) => description),
  ]

  test('the help shows only forms of ids that psp creates', () => {
    for (const text of texts) {
      for (const [, prefix] of text.matchAll(/\b(\w+)_…/g)) expect(PREFIXES, text).toContain(prefix)
      expect(text).not.toMatch(/\b[A-Z]*ID\b/)
    }
  })

  test('the help shows the form of an id argument', () => {
    const ids = Object.entries(command.args).filter(([name]) => name === 'id' || name === 'ids')
    for (const [, { description }] of ids)
      expect(
        Object.values(ID_EXAMPLES).some((form) => description.includes(form)),
        description,
      ).toBe(true)
  })
})

const PATHS = everyCommand().map(({ path }) => path)
const GROUPS = PATHS.flatMap((path) => (path.includes(' ') ? [path.slice(0, path.lastIndexOf(' '))] : []))

test.each([...new Set(['', ...GROUPS, ...PATHS])])('the help of `psp %s` fits in 80 columns', async (path) => {
  const { stdout } = await psp(`${path} --help`.trim(), { columns: 80 })
  // A command line of an example stays in one line, so that it can be copied.
  const texts = stdout.split('\n').filter((line) => !line.startsWith('  psp '))
  expect(texts.length).toBeGreaterThan(5)
  expect(texts.filter((line) => line.length > 80)).toEqual([])
})

test('the usage of a group shows whether a command must follow', async () => {
  expect((await psp('clock --help')).stdout).toContain('psp clock [command]\n')
  expect((await psp('store --help')).stdout).toContain('psp store <command>\n')
})

test('the forms in the help match real ids', async () => {
  const sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
  const shop_id = sandbox.defaultShop().shop_id
  const { engine } = sandbox
  engine.execute('create_endpoint', { shop_id, input: { url: 'http://127.0.0.1:1/' } })
  engine.execute('add_rule', { plan: 'succeeded' })
  engine.execute('add_fault', { target: 'webhook', fault: 'drop' })
  const post = async (path: string, body: object) =>
    await sandbox.fetch(
      new Request(`http://127.0.0.1:7770${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { Authorization: `Bearer ${sandbox.defaultShop().api_key}`, 'Content-Type': 'application/json' },
      }),
    )
  await post('/v1/public/payouts', { amount: 100, phone: '+79161234567', bank_id: '100000000111' })
  await post('/_psp/trigger', { event: 'payment.refunded' })
  await sandbox.idle()
  const tables = {
    event: 'events',
    delivery: 'deliveries',
    endpoint: 'endpoints',
    rule: 'rules',
    fault: 'faults',
    key: 'keys',
    payment: 'payments',
    payout: 'payouts',
    shop: 'shops',
  } as const satisfies Record<keyof typeof ID_EXAMPLES, string>
  for (const [kind, table] of Object.entries(tables)) {
    const [row] = [...engine.world.rows(table)]
    const form = ID_EXAMPLES[kind as keyof typeof tables]
    const shape = form.endsWith('_…') ? new RegExp(`^${form.slice(0, -1)}[A-Za-z0-9]+$`) : /^[0-9a-f]{8}-[0-9a-f-]{27}$/
    expect([kind, row?.id]).toEqual([kind, expect.stringMatching(shape)])
  }
  await sandbox.close({ grace_ms: 0 })
})

test('`psp` is suggested as `npx psp` if npm started it', () => {
  expect(invocationName({ env: {} })).toBe('psp')
  for (const npm_command of ['exec', 'run-script', 'test'])
    expect(invocationName({ env: { npm_command } })).toBe('npx psp')
})
