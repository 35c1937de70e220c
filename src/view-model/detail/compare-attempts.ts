// Describes the differences between two attempts of a delivery.
import type { DeliveryView } from '../../client/control-types.ts'
import { formatElapsed } from '../../domain/time-text.ts'
import { formatDateTime } from '../time-format.ts'
import type { AttemptBlock, Block, DetailView, MessageContent, StyledText } from './blocks.ts'
import { attemptBlock } from './webhooks.ts'

/** Compares the last two attempts. Returns `undefined` if there are fewer. */
export function compareAttempts({ event, id, attempts }: DeliveryView): DetailView | undefined {
  const [before, after] = attempts.slice(-2).map((attempt) => attemptBlock(attempt, id))
  if (before === undefined || after === undefined) return undefined
  return {
    title: `Attempts ${before.number} and ${after.number} of ${event}`,
    note: id,
    problem: undefined,
    summary: [],
    blocks: compareBlocks(before, after),
  }
}

export function compareBlocks(before: AttemptBlock, after: AttemptBlock): readonly Block[] {
  return [
    linesBlock('Result', [
      ['at', formatDateTime(before.at), formatDateTime(after.at)],
      ['result', resultOf(before), resultOf(after)],
      ['took', formatElapsed(before.ms), formatElapsed(after.ms)],
      ['fault', before.fault ?? '', after.fault ?? ''],
    ]),
    linesBlock('Request', messagePairs(before.request, after.request)),
    linesBlock('Response', messagePairs(before.response ?? NO_MESSAGE, after.response ?? NO_MESSAGE)),
  ]
}

const NO_MESSAGE: MessageContent = { headers: [], body: { text: '', isBase64: false }, note: undefined }

function resultOf({ result, error }: AttemptBlock): string {
  return error === undefined ? result : `${result}  ${error}`
}

type Pair = readonly [label: string, before: string, after: string]

function messagePairs(before: MessageContent, after: MessageContent): readonly Pair[] {
  const names = new Set([...before.headers, ...after.headers].map(([name]) => name.toLowerCase()))
  const valueIn = ({ headers }: MessageContent, wanted: string) =>
    headers
      .filter(([name]) => name.toLowerCase() === wanted)
      .map(([, value]) => value)
      .join(', ')
  return [
    ...[...names].map((name): Pair => [name, valueIn(before, name), valueIn(after, name)]),
    ['body', before.body.text, after.body.text],
  ]
}

/** Shows both versions of a value that differs, and only the label of an equal value. */
function linesBlock(title: string, pairs: readonly Pair[]): Block {
  const shown = pairs.filter(([, before, after]) => before !== '' || after !== '')
  const lines = shown.flatMap(([label, before, after]): readonly (readonly StyledText[])[] =>
    before === after
      ? [[styled(`  ${label}`, 'dim'), styled('equal', 'dim')]]
      : [
          [styled(`- ${label}`, 'failure'), styled(before === '' ? '(none)' : before, 'plain')],
          [styled(`+ ${label}`, 'success'), styled(after === '' ? '(none)' : after, 'plain')],
        ],
  )
  return { kind: 'lines', title, lines: lines.length === 0 ? [[styled('nothing', 'dim')]] : lines }
}

function styled(text: string, tone: StyledText['tone']): StyledText {
  return { text, tone }
}
