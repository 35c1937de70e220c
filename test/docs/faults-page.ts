import { FAULT_VALUE_KINDS, FAULT_VALUE_WORDS } from '../../src/domain/fault-syntax.ts'
import { FAULT_FIELDS, FAULT_TARGETS, type FaultTarget } from '../../src/domain/faults.ts'
import { code, page, table } from './markdown.ts'
import { FAULT_WORDS, FIELD_WORDS, METADATA_FIELD } from './simulator-words.ts'

const TITLES: { readonly [T in FaultTarget]: string } = {
  api: 'Of the API',
  webhook: 'Of webhooks',
  stream: 'Of the event stream',
  redirect: 'Of the page: the way back to the shop',
}

/** A command that adds each fault, for the page and for its test. */
export function faultExample(target: FaultTarget, name: string): string {
  const kind = FAULT_VALUE_KINDS[`${target} ${name}`]
  const value = kind === undefined ? '' : `:${FAULT_VALUE_WORDS[kind][1]}`
  return `psp faults add ${target} ${name}${value} --times 1`
}

export function faultsPage(): string {
  const parts = (Object.keys(FAULT_TARGETS) as FaultTarget[]).flatMap((target) => [
    `## ${TITLES[target]}`,
    faultTable(target),
    `Matched on ${FAULT_FIELDS[target].map(code).join(', ')} and \`metadata.<name>\`.`,
  ])
  return page('Faults of the transport', [
    'A fault breaks a message on its way; an [outcome](outcomes.md) is what the bank decides. `psp faults add TARGET FAULT`, `POST /_psp/faults` with `{"target", "fault", "match", "times", "every", "probability"}`, `faults` of a [seed](seed.md), `psp.faults.add()` in tests. The delivery log and the request log name every fault that was applied.',
    ...parts,
    '## Fields to match on',
    table(
      ['field', 'what it is'],
      [
        ...[...new Set(Object.values(FAULT_FIELDS).flat())].map((field) => [code(field), FIELD_WORDS[field]]),
        METADATA_FIELD,
      ],
    ),
    'A fault can aim at one order before any id exists: `psp faults add api latency:2s --match order_id=A-1` meets the request that creates the payment of this order, and then its GET, cancel and refund. It does not meet requests of another shop that names the same id.',
    '## How often',
    table(
      ['option', 'what it is'],
      [
        ['`--times 2`', 'applied twice, then never again; without it, always'],
        ['`--every 3`', 'applied to each third match'],
        ['`--probability 0.1`', 'to one match in ten, drawn from the seeded generator (`--random-seed`)'],
        [
          '`--match event=payment.*`',
          'only where the field has this value; `*` stands for any text; several must all fit',
        ],
      ],
    ),
    'The newest fault comes first. Two that cannot both be done to one message, such as `stale` and `future`, wait for each other. `psp faults list` shows how often each was applied; `psp faults remove ID` and `psp faults clear` let go on what they hold.',
    'Each fault as it hits a handler, with a scenario of its own: [faults that hit webhook handlers](../faults/README.md).',
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
        kind === undefined ? 'none' : FAULT_VALUE_WORDS[kind][0],
        words[name] ?? '',
        code(faultExample(target, name)),
      ]
    }),
  )
}
