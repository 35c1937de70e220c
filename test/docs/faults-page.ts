import { exampleOf, FAULT_VALUE_DESCRIPTIONS, FAULT_VALUE_KINDS } from '../../src/domain/fault-syntax.ts'
import { FAULT_FIELDS, FAULT_TARGETS, type FaultTarget } from '../../src/domain/faults.ts'
import { code, page, table } from './markdown.ts'
import { FAULT_WORDS, FIELD_WORDS, METADATA_FIELD } from './simulator-words.ts'

const TITLES: { readonly [T in FaultTarget]: string } = {
  api: 'API faults',
  webhook: 'Webhook faults',
  stream: 'Faults of the event stream',
  redirect: 'Faults of the return to the shop',
}

/** Returns a command that adds the fault, for the page and its test. */
export function faultExample(target: FaultTarget, name: string): string {
  return `psp faults add ${target} ${exampleOf(target, name)} --times 1`
}

export function faultsPage(): string {
  const parts = (Object.keys(FAULT_TARGETS) as FaultTarget[]).flatMap((target) => [
    `## ${TITLES[target]}`,
    faultTable(target),
    `Fields to match on: ${FAULT_FIELDS[target].map(code).join(', ')} and \`metadata.<name>\`.`,
  ])
  return page('Transport faults', [
    'A fault disturbs a message in transit, while an [outcome](outcomes.md) is a decision of the bank. To add a fault, use `psp faults add TARGET FAULT`, `POST /_psp/faults` with `{"target", "fault", "match", "times", "every", "probability"}`, `faults` in a [seed](seed.md), or `psp.faults.add()` in tests. The delivery log and the request log name every fault that was applied.',
    ...parts,
    '## Fields to match on',
    table(
      ['field', 'what it is'],
      [
        ...[...new Set(Object.values(FAULT_FIELDS).flat())].map((field) => [code(field), FIELD_WORDS[field]]),
        METADATA_FIELD,
      ],
    ),
    'A fault can match an order before its payment exists. `psp faults add api latency:2s --match order_id=A-1` applies to the request that creates the payment of this order, and then to its GET, cancel and refund. It does not apply to requests of another shop with the same order id.',
    '## How often',
    table(
      ['option', 'what it is'],
      [
        ['`--times 2`', 'applied twice, then never again; default: no limit'],
        ['`--every 3`', 'applied to every third match'],
        ['`--probability 0.1`', 'applied to one match in ten, chosen by the random generator (`--random-seed`)'],
        [
          '`--match event=payment.*`',
          'applied only if the field has this value; `*` matches any text; all given fields must match',
        ],
      ],
    ),
    'The newest fault has priority. If two faults exclude each other, such as `stale` and `future`, only the newer one applies to a message, and the other one applies later. `psp faults list` shows how often each fault was applied. `psp faults remove ID` and `psp faults clear` also release the messages that these faults delay.',
    '[Situations that break webhook handlers](../faults/README.md) has a page and a scenario for each common case.',
  ])
}

function faultTable(target: FaultTarget): string {
  const words: Readonly<Record<string, string>> = FAULT_WORDS[target]
  return table(
    ['fault', 'value', 'what happens', 'command'],
    FAULT_TARGETS[target].map((name) => {
      const kind = FAULT_VALUE_KINDS[`${target} ${name}`]
      return [
        code(kind === undefined ? name : `${name}:<${kind}>`),
        kind === undefined ? 'none' : FAULT_VALUE_DESCRIPTIONS[kind][0],
        words[name] ?? '',
        code(faultExample(target, name)),
      ]
    }),
  )
}
