import { code, json, page, table } from './markdown.ts'
import { fieldTables } from './schema-tables.ts'
import { SEED_PARTS, seedSchema } from './seed-schema.ts'

/** On the page, and in its test. */
export const SEED_EXAMPLE = {
  $schema: './node_modules/psp-sandbox/fixtures/psp.seed.schema.json',
  shops: [
    {
      name: 'Shop of the tests',
      api_key: 'sk_test_shop01_a0key0of0the0tests',
      webhook_secret: 'whs_a0secret0of0the0tests',
      endpoints: [{ url: 'http://localhost:3000/hooks', events: ['payment.succeeded'], own_secret: false }],
    },
  ],
  settings: { 'delays.bank': '0s' },
  rules: [{ match: { order_id: 'declined-*' }, plan: 'failed:insufficient_funds' }],
  faults: [{ target: 'webhook', fault: 'duplicate:1', times: 1 }],
  payments: [{ amount: 150_000, method: 'sbp', order_id: 'A-1', outcome: 'succeeded' }],
  payouts: [{ amount: 5000, phone: '+79161234567', bank_id: '100000000111', outcome: 'pending' }],
}

export function seedPage(): string {
  const { properties } = seedSchema()
  return page('The seed file', [
    '`psp serve --seed shops.json` and `psp exec --seed shops.json -- npm test` begin with what it says. It is applied when the data folder is new (or in memory), before the server is ready. The file is checked whole before anything is made. An error names the path: `shops[0].endpoints[1].url: expected an absolute http or https URL`.',
    json(SEED_EXAMPLE),
    'With the first line an editor checks the file. Every part may be left out.',
    table(
      ['part', 'what it is'],
      Object.entries(properties).map(([name, { description = 'This schema.' }]) => [code(name), description]),
    ),
    ...Object.keys(SEED_PARTS).flatMap((name) => [
      `## ${name}`,
      ...fieldTables(`Field of ${code(`${name}[]`)}`, properties[name]?.items ?? {}),
    ]),
    '## settings',
    'Names and values of [settings](settings.md).',
    '## After a reset, and after a restart',
    'Both kinds of reset apply the seed again, and bring back the same ids:',
    table(
      ['what', '`psp store reset`', '`psp store reset --all`'],
      [
        ['payments, payouts, rules, faults', 'made again', 'made again'],
        ['shops, keys, secrets, endpoints', 'stay as they are; missing shops are made', 'as the seed says'],
        ['settings', 'stay as they are', 'as the seed says'],
        ['times', 'from the present time of the sandbox clock', 'from the time of the machine'],
      ],
    ),
    'The data folder keeps the seed in `start.json`, together with the credentials with which the folder was made. So a reset after a restart brings both back without `--seed` and other flags. API keys are kept as hashes only. Without a data folder (`--ephemeral`, `psp exec`) the seed lives as long as the server.',
    'If `--seed` is given for a folder that has data, the data stays, and the next reset applies the file. So edit the file, start the server again with `--seed`, and run `psp store reset --all`. An empty seed, `{}`, ends the seed.',
    'A plain reset is refused with 409 `not_allowed` if a shop or a setting that was changed meanwhile refuses what the seed makes: a payout, for example, of a shop whose payout route is off. Then nothing changes. `psp store reset --all` also restores shops and settings.',
    'Exports, imports and snapshots do not contain the seed.',
  ])
}
