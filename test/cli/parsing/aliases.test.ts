import { expect, test } from 'vitest'
import { psp } from '../helpers.ts'

test.each([
  ['reset', 'psp store reset'],
  ['restore x', 'psp store restore'],
  ['snapshot x', 'psp store snapshot'],
  ['export state.json', 'psp store export'],
  ['import state.json', 'psp store import'],
  ['webhooks endpoints add :3000/hooks', 'psp webhooks endpoints create'],
  ['store list', 'psp store snapshots'],
  ['rules create succeeded', 'psp rules add'],
  ['open x', 'psp payments open'],
  ['pay x', 'psp payments pay'],
  ['refund x', 'psp payments refund'],
  ['refunds create x', 'psp payments refund'],
  ['resend x', 'psp events replay'],
  ['events resend x', 'psp events replay'],
  ['payments retrieve x', 'psp payments get'],
  ['version', 'psp --version'],
  ['login', 'psp config --env'],
  ['get /v1/public/banks', 'psp request GET'],
  ['webhook_endpoints list', 'psp webhooks endpoints list'],
  ['endpoints add :3000/hooks', 'psp webhooks endpoints create'],
  ['endpoint create :3000/hooks', 'psp webhooks endpoints create'],
  ['webhook endpoints rm we_1', 'psp webhooks endpoints delete'],
  ['shops new', 'psp shops create'],
  ['keys LIST', 'psp keys list'],
  ['keys rm key_1', 'psp keys revoke'],
  ['store rm first', 'psp store forget'],
  ['store ls', 'psp store snapshots'],
  ['shops edit 5f1', 'psp shops update'],
  ['payments show 5f1', 'psp payments get'],
  ['webhooks deliveries redeliver dlv_1', 'psp webhooks deliveries retry'],
  ['payments list --JSON', '--json'],
  ['payments create --Amount=5', '--amount'],
  ['trigger payment.succeeded --amount 5', '--set amount=…'],
  ['payments list --output json', '--json'],
  ['payments list --format json', '--json'],
  ['payments decline x --reason y', '--code'],
  ['listen --forward-to :3000', '--forward'],
  ['trigger payment_intent.succeeded', 'payment.succeeded'],
  ['trigger payment.paid', 'payment.succeeded'],
  ['trigger double-delivry', 'double-delivery'],
  ['wait payment.paid', 'payment.succeeded'],
  ['listen --forward 3000 --events payout.paid', 'payout.succeeded'],
  ['events list --event payment.paid', 'payment.succeeded'],
  ['events replay --since 1h --event payment.declined', 'payment.failed'],
  ['webhooks endpoints create 3000 --events payment.paid', 'payment.succeeded'],
  ['faults add webhook drop --match event=payment.paid', 'payment.succeeded'],
  ['trigger charge.refunded', 'payment.refunded'],
  ['payments create --amount 100 --outcome insufficient_funds', 'failed:insufficient_funds'],
  ['payments create --amount 100 --outcome declined', 'failed'],
  ['rules add declined', 'failed'],
  ['payments list --verbose', '--debug'],
  ['faults create api cut', 'psp faults add'],
  ['wait payment.succeeded --match order_id=1', '--where'],
  ['rules add succeeded --where order_id=1', '--match'],
  ['faults add api cut --where order_id=1', '--match'],
  ['trigger list', 'psp trigger --list'],
  ['logs tail', 'psp logs --follow'],
  ['logs follow', 'psp logs --follow'],
  ['payments list --order order-1', '--order-id'],
  ['audit 3000 --order order-1', '--order-id'],
  ['events list --order-id order-1', '--order'],
  ['events replay --order-id order-1', '--order'],
  ['events export --order-id order-1', '--order'],
  ['events replay evt_1 --webhook-endpoint we_1', '--to'],
  ['trigger ls', 'psp trigger --list'],
  ['settings list', 'psp settings'],
  ['settings update session_ttl.card=1h', 'psp settings set'],
  ['config get', 'psp config'],
  ['config set port=1', 'psp settings set'],
  ['store save x', 'psp store snapshot'],
  ['store create x', 'psp store snapshot'],
  ['store load x', 'psp store restore'],
  ['store backup x', 'psp store export'],
  ['store clear', 'psp store reset'],
  ['faults reset', 'psp faults clear'],
  ['clock set 2030-01-01T00:00:00Z', 'psp clock advance --to'],
  ['clock forward 20m', 'psp clock advance'],
  ['clock status', 'psp clock show'],
  ['clock start', 'psp clock resume'],
  ['clock stop', 'psp clock freeze'],
  ['webhooks ls', 'psp webhooks endpoints list'],
  ['webhooks retry dlv_1', 'psp webhooks deliveries retry'],
  ['webhooks test', 'psp trigger'],
  ['webhooks logs', 'psp webhooks deliveries'],
  ['events watch', 'psp tail'],
  ['events new', 'psp trigger'],
  ['payments confirm x', 'psp payments pay'],
  ['payments fail x', 'psp payments decline'],
  ['payments void x', 'psp payments cancel'],
  ['payments find x', 'psp payments list'],
  ['payouts approve x', 'psp payouts settle'],
  ['payouts fail x', 'psp payouts settle'],
  ['dashboard', 'psp ui --web'],
  ['proxy', 'psp record'],
])('the error of `psp %s` suggests %s', async (line, meant) => {
  const { code, stderr } = await psp(line)
  expect(code).toBe(2)
  expect(stderr).toContain(`Did you mean ${meant}?`)
})

test.each([
  ['payments list --json=true', '--json takes no value. Write --json alone, or leave the option out.'],
  ['logs --follow=false', '--follow takes no value.'],
  ['shops rm 5f1', 'A shop cannot be deleted.'],
  ['shops DELETE 5f1', 'leaves only the first shop and the shops of the seed.'],
  ['payments delete 5f1', '`psp store reset` deletes all payments'],
  ['shops use 5f1', 'An API key selects its shop'],
  ['keys rotate key_1', '`psp keys create`'],
  ['settings reset', '`psp settings set NAME=null` restores the default.'],
  ['stop', 'Stop `psp serve` with Ctrl-C or SIGTERM.'],
  ['init', '`psp serve` creates its data directory'],
])('the error of `psp %s` says what to do instead: %s', async (line, hint) => {
  const { code, stderr } = await psp(line)
  expect([code, stderr]).toEqual([2, expect.stringContaining(hint)])
})

test.each([
  ['faults add duplicate:1 webhook', 'Write psp faults add webhook duplicate:1.'],
  ['faults add drop stream', 'Write psp faults add stream drop.'],
  ['payouts settle failed:do_not_honor 5f1', 'Write psp payouts settle 5f1 failed:do_not_honor.'],
  ['shops rotate-secret webhook 5f1', 'Write psp shops rotate-secret 5f1 webhook.'],
  ['request /v1/public/banks/sbp get', 'Write psp request get /v1/public/banks/sbp.'],
])('the error of `psp %s` shows the arguments in their order', async (line, right) => {
  const { code, stderr } = await psp(line)
  expect([code, stderr]).toEqual([2, expect.stringContaining(right)])
})

test.each([
  ['faults add api cut --match ordr_id=A-1', 'Did you mean order_id?'],
  ['faults add webhook drop --match method=sbp', 'Use payment_method instead.'],
  ['rules add failed --match payment_method=bitcoin', '"bitcoin" is not one of its values'],
  ['rules add failed --match metadta.cart=1', 'unknown field'],
])('the error of `psp %s` contains: %s', async (line, words) => {
  const { code, stderr } = await psp(line)
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
})

test('completion for an unknown shell lists the supported shells', async () => {
  const { code, stderr } = await psp('completion tcsh')
  expect([code, stderr.split('\n')[1]]).toEqual([2, 'Choose one of bash, zsh, fish, powershell.'])
})

test.each([
  ['stop', 'Stop `psp serve` with Ctrl-C'],
  ['serve --detach', 'psp runs in the foreground'],
  ['payments list --colour-blind', '`psp payments list --help` shows'],
  ['wxyz', '`psp --help` lists its commands.'],
  ['payouts create --amount 1 --phone +79161234567 --bank-id x', '`psp banks NAME` finds it'],
])('the error of `psp %s` suggests no unrelated name, but a next step', async (line, way) => {
  const { code, stderr } = await psp(line)
  expect(code).toBe(2)
  expect(stderr).toContain(way)
  expect(stderr).not.toContain('Did you mean')
})

test.each(['-v', '-V', '--version'])('`psp %s` prints the version', async (flag) => {
  expect((await psp(flag)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test.each(['--json', 'help --json', '-j', 'payments --help --json', 'payments create --help -j'])(
  '`psp %s` prints the help as one JSON document',
  async (line) => {
    const { code, stdout } = await psp(line)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ name: expect.stringMatching(/^psp/), about: expect.any(String) })
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  },
)

test.each([
  ['a command', [`x\u001b[31m${'y'.repeat(100)}\u0007`], `Unknown command 'x${'y'.repeat(73)}…'.`],
  [
    'an option',
    ['payments', 'list', `--amount=\u202e${'9'.repeat(100)}`],
    `Unknown option '--amount=${'9'.repeat(69)}…'.`,
  ],
])('the error of %s quotes its beginning without control characters', async (_, argv, message) => {
  const { stderr } = await psp(argv)
  expect(stderr).toContain(`error ${message}\n`)
})
