import magic from '../../fixtures/magic.json' with { type: 'json' }
import { RULE_FIELDS } from '../../src/domain/faults.ts'
import { PLANNED_ERRORS } from '../../src/domain/simulator-plan.ts'
import { code, page, table } from './markdown.ts'
import { FIELD_WORDS, METADATA_FIELD, PLAN_WORDS } from './simulator-words.ts'

export function outcomesPage(): string {
  return page('Outcomes', [
    'What the simulated bank does is planned when a payment, refund or payout is made. The answer shows it (`simulator`, `metadata.simulator_outcome`), and `psp logs` names what decided.',
    '## Plans',
    table(
      ['plan', 'a payment', 'a payout'],
      Object.values(PLAN_WORDS).map(({ form, payment, payout }) => [code(form), payment, payout]),
    ),
    `\`@<duration>\` may follow and replaces \`delays.bank\`: \`failed:insufficient_funds@30s\`, \`succeeded@2h\`. Codes of \`failed\` and \`refused\` are the [failure codes](errors.md#failure-codes); those of \`error\` are ${PLANNED_ERRORS.map(code).join(', ')}. A refund takes the same plans: \`succeeded\`, \`failed\`, \`pending\`.`,
    '## Who decides',
    'The first of these that says something:',
    table(
      ['', 'what', 'example'],
      WAYS.map(([what, example], at) => [String(at + 1), what, example]),
    ),
    'An unknown plan is refused with 400 in an act, a rule and the header; in `metadata.simulate`, which is free text of the merchant, it is ignored: the request log, `psp payments get` and the panel of the page say so, with the plan that was probably meant. With a live key magic values are off.',
    '## Rules',
    `\`psp rules add PLAN [--match FIELD=VALUE]… [--times N] [--every N]\`, or \`POST /_psp/rules\` with \`{"match", "plan", "times", "every"}\`. \`*\` in a value stands for any text; all fields must fit; the newest rule is asked first. A list of plans is a sequence, one for each match, and the last one stays: \`{"plan": ["failed:issuer_unavailable", "succeeded"]}\`.`,
    table(['field', 'what it is'], [...RULE_FIELDS.map((field) => [code(field), FIELD_WORDS[field]]), METADATA_FIELD]),
    ...magicParts(),
  ])
}

const WAYS = [
  [
    'an explicit act',
    '`psp payments pay ID`, `psp payouts settle ID failed:bank_unknown`, the panel of the page, `psp ui`',
  ],
  ['a rule', '`psp rules add failed:call_issuer --match order_id=A-* --times 2`'],
  ['the header `X-PSP-Simulate`', '`X-PSP-Simulate: pending`; on the command line `--outcome pending`'],
  ['the metadata pair `simulate`', '`{"metadata": {"simulate": "failed:card_expired@30s"}}`'],
  ['the card typed on the page', '`2200 0000 0001 0516`'],
  ['a magic value', '`"amount": 10051`'],
  ['the setting `default_outcome`', '`psp settings set default_outcome=pending`'],
] as const

/** All from fixtures/magic.json. `magic=false` switches them off. */
function magicParts(): string[] {
  return [
    '## Magic values',
    'Values that choose a plan by themselves, in test mode; `psp settings set magic=false` switches them off. They are data: `fixtures/magic.json`.',
    '### Amounts',
    'Of payments in currencies with two digits: round hundreds of the major unit plus these minor units, from 100.00 on. 10051 is 100.51 RUB, 150051 is 1 500.51 RUB; ordinary prices do not meet them.',
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
          'plan' in row ? code(row.plan) : `refused with ${code(row.refusal)}`,
        ]),
        ['a former member of SBP', code(magic.former_banks.plan)],
        ['12 digits that no bank has', 'refused with `router_error`; the setting `unknown_bank` says otherwise'],
      ],
    ),
    '### Cards on the page',
    `Any expiry to come, any CVC. Other numbers that pass the Luhn check follow the plan of the payment. A 3-D Secure step ends with ${code(magic.three_ds.confirmed)} when it is confirmed, with ${code(magic.three_ds.declined)} when it is declined.`,
    table(
      ['card', 'plan'],
      Object.entries(magic.cards).map(([number, row]) => [
        code(number),
        'plan' in row ? code(row.plan) : 'a 3-D Secure step',
      ]),
    ),
  ]
}

function planText(row: { readonly plan: string; readonly refunds?: string }): string {
  const refunds =
    row.refunds === undefined ? '' : row.refunds === 'failed' ? '; its refunds fail' : '; its refunds stay pending'
  return `${code(row.plan)}${refunds}`
}
