import { code, json, page, table } from './markdown.ts'
import { fieldTables } from './schema-tables.ts'
import { SEED_PARTS, seedSchema } from './seed-schema.ts'

/** The example on the page, which the test uses as well. */
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
    '`psp serve --seed shops.json` and `psp exec --seed shops.json -- npm test` start with the content of the file. The seed is applied if the data directory is new or the data is in memory, before the server is ready. The whole file is checked before anything is created. An error names the path: `shops[0].endpoints[1].url: expected an absolute http or https URL`.',
    json(SEED_EXAMPLE),
    '`$schema` lets an editor check the file. Every part is optional.',
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
    'A reset applies the seed again and creates the same ids:',
    table(
      ['what', '`psp store reset`', '`psp store reset --all`'],
      [
        ['payments, payouts, rules, faults', 'created again', 'created again'],
        ['shops, keys, secrets, endpoints', 'unchanged; missing shops are created', 'as in the seed'],
        ['settings', 'unchanged', 'as in the seed'],
        ['times', 'from the current sandbox time', 'from the system time'],
      ],
    ),
    'The data directory keeps the seed in `start.json`, with the credentials with which the directory was created. After a restart, a reset restores the seed and the credentials without `--seed` and other flags. API keys are stored as hashes only. Without a data directory (`--ephemeral`, `psp exec`) the seed is kept until the server ends.',
    'If `--seed` is given for a directory with data, the data is kept, and the next reset applies the file. To apply changes, edit the file, start the server again with `--seed`, and run `psp store reset --all`. An empty seed, `{}`, removes the stored seed.',
    'If a changed shop or setting makes the seed invalid, a plain reset is rejected with 409 `not_allowed`, and nothing changes. This happens, for example, if the seed has a payout and the payout route of its shop is off. `psp store reset --all` also restores shops and settings.',
    'Exports, imports and snapshots do not contain the seed.',
  ])
}
