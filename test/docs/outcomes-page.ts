import magic from '../../fixtures/magic.json' with { type: 'json' }
import { RULE_FIELDS } from '../../src/domain/faults.ts'
import { PLANNED_ERRORS } from '../../src/domain/simulator-plan.ts'
import { code, page, table } from './markdown.ts'
import { FIELD_WORDS, METADATA_FIELD, PLAN_WORDS } from './simulator-words.ts'

export function outcomesPage(): string {
  return page('Outcomes', [
    'The simulator plans the outcome of a payment, refund or payout when it is created. The response shows the plan (`simulator`, `metadata.simulator_outcome`), and `psp logs` names its source.',
    '## Plans',
    table(
      ['plan', 'a payment', 'a payout'],
      Object.values(PLAN_WORDS).map(({ form, payment, payout }) => [code(form), payment, payout]),
    ),
    `A plan may end with \`@<duration>\`, which replaces \`delays.bank\`: \`failed:insufficient_funds@30s\`, \`succeeded@2h\`. Codes of \`failed\` and \`refused\` are the [failure codes](errors.md#failure-codes); those of \`error\` are ${PLANNED_ERRORS.map(code).join(', ')}. A refund takes the same plans: \`succeeded\`, \`failed\`, \`pending\`.`,
    '## Priority',
    'The first of these sources that has a plan decides:',
    table(
      ['', 'source', 'example'],
      WAYS.map(([what, example], at) => [String(at + 1), what, example]),
    ),
    'An unknown plan in an action, a rule or the header gets 400. In `metadata.simulate`, which is free text of the merchant, it is ignored. The request log, `psp payments get` and the panel of the page then show a note with the nearest plan. Magic values do not apply to live keys.',
    '## Rules',
    `\`psp rules add PLAN [--match FIELD=VALUE]… [--times N] [--every N]\`, or \`POST /_psp/rules\` with \`{"match", "plan", "times", "every"}\`. \`*\` in a value matches any text. All fields must match. The newest rule has priority. A list of plans is a sequence: each match uses the next plan, and the last plan repeats: \`{"plan": ["failed:issuer_unavailable", "succeeded"]}\`.`,
    table(['field', 'what it is'], [...RULE_FIELDS.map((field) => [code(field), FIELD_WORDS[field]]), METADATA_FIELD]),
    ...magicParts(),
  ])
}

const WAYS = [
  [
    'an explicit action',
    '`psp payments pay ID`, `psp payouts settle ID failed:bank_unknown`, the panel of the page, `psp ui`',
  ],
  ['a rule', "`psp rules add failed:call_issuer --match 'order_id=A-*' --times 2`"],
  ['the header `X-PSP-Simulate`', '`X-PSP-Simulate: pending`; on the command line `--outcome pending`'],
  ['the metadata pair `simulate`', '`{"metadata": {"simulate": "failed:card_expired@30s"}}`'],
  ['the card entered on the page', '`2200 0000 0001 0516`'],
  ['a magic value', '`"amount": 10051`'],
  ['the setting `default_outcome`', '`psp settings set default_outcome=pending`'],
] as const

/** The magic values in fixtures/magic.json. */
function magicParts(): string[] {
  return [
    '## Magic values',
    'In test mode these values choose a plan. `psp settings set magic=false` disables them. They are defined in `fixtures/magic.json`.',
    '### Amounts',
    'These apply to payments in currencies with two decimal places. A magic amount is a multiple of 100 major units, from 100.00 on, plus the last two digits of an example below: 10051 is 100.51 RUB, and 150051 is 1 500.51 RUB. Ordinary prices are rarely such amounts.',
    table(
      ['example', 'plan'],
      Object.entries(magic.amounts)
        .sort()
        .map(([digits, row]) => [code(`1${digits.padStart(4, '0')}`), planText(row)]),
    ),
    `A description that contains ${Object.entries(magic.descriptions)
      .map(([word, plan]) => `${code(word)}: ${code(plan)}`)
      .join(', ')}.`,
    '### Phones of payouts',
    table(
      ['phone', 'plan'],
      [
        ...Object.entries(magic.phones)
          .sort()
          .map(([digits, plan]) => [code(`+700000000${digits}`), code(plan)]),
        ['any other `+700000000xx`', code(magic.other_phones)],
      ],
    ),
    `A \`full_name\` that contains ${Object.entries(magic.full_names)
      .map(([word, plan]) => `${code(word)}: ${code(plan)}`)
      .join(', ')}.`,
    '### Banks of payouts',
    table(
      ['bank_id', 'what happens'],
      [
        ...Object.entries(magic.banks).map(([id, row]) => [
          code(id),
          'plan' in row ? code(row.plan) : `rejected with ${code(row.refusal)}`,
        ]),
        ['a former member of SBP', code(magic.former_banks.plan)],
        ['12 digits that no bank has', 'rejected with `router_error`, unless the setting `unknown_bank` accepts it'],
      ],
    ),
    '### Cards on the page',
    `Use any future expiry date and any CVC. Other numbers that pass the Luhn check follow the payment's plan. A 3-D Secure step ends with ${code(magic.three_ds.confirmed)} if the buyer enters the right code, and with ${code(magic.three_ds.declined)} if the buyer declines or enters ${magic.three_ds_attempts} wrong codes.`,
    table(
      ['card', 'plan'],
      Object.entries(magic.cards).map(([number, row]) => [
        code(number),
        'plan' in row ? code(row.plan) : 'a 3-D Secure step',
      ]),
    ),
    '### One-time codes of 3-D Secure',
    'Any other code of six digits is wrong.',
    table(
      ['code', 'what the bank says'],
      Object.entries(magic.three_ds_codes).map(([result, value]) => [code(value), CODE_RESULTS[result] ?? result]),
    ),
  ]
}

const CODE_RESULTS: { readonly [result: string]: string } = {
  right: 'the code is right',
  wrong: 'the code is wrong, and one attempt is used',
  expired: 'the code has expired; the buyer can request a new one',
}

function planText(row: { readonly plan: string; readonly refunds?: string }): string {
  const refunds =
    row.refunds === undefined ? '' : row.refunds === 'failed' ? '; its refunds fail' : '; its refunds stay pending'
  return `${code(row.plan)}${refunds}`
}
