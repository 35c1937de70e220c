// The lines of the detail pane, before the pane cuts them to its width.
import { describe, expect, test } from 'vitest'
import { detailLines } from '../../src/tui/panes/detail-lines.ts'
import type { LineContext } from '../../src/tui/panes/json-lines.ts'
import { statusText } from '../../src/tui/theme/theme.ts'
import type { Block, DetailView, StepBlock } from '../../src/view-model/detail/blocks.ts'
import { PLAIN_THEME } from './fixtures.ts'

const CONTEXT = { symbols: PLAIN_THEME.symbols, width: 80 } as unknown as LineContext
const VIEW = { title: 'p1', note: '', problem: undefined, summary: [], blocks: [] } as unknown as DetailView

test('a detail begins with its title, and the note follows in the same line', () => {
  expect(detailLines(VIEW, CONTEXT)).toEqual([[['p1', 'bold'], '']])
  expect(detailLines({ ...VIEW, note: 'loading' }, CONTEXT)).toEqual([[['p1', 'bold'], '  loading']])
})

test('a problem is shown above the title with an empty line after it, without escape sequences', () => {
  expect(detailLines({ ...VIEW, problem: 'No \u001b[31mresponse.' }, CONTEXT)).toEqual([
    [['No response.', 'failure']],
    [],
    [['p1', 'bold'], ''],
  ])
})

test('the line below the title has its texts, two spaces between them, and the symbols of statuses', () => {
  const summary = [
    { text: 'failed', tone: 'failure', isStatus: true },
    { text: '1 500.00 RUB', tone: 'bold' },
  ] as const
  expect(detailLines({ ...VIEW, summary }, CONTEXT).slice(1)).toEqual([
    [
      [statusText('failed', CONTEXT.symbols), 'failure'],
      ['  1 500.00 RUB', 'bold'],
    ],
  ])
  expect(statusText('failed', CONTEXT.symbols)).not.toBe('failed')
})

describe('a timeline', () => {
  const step = (at: string, label: string, more: Partial<StepBlock> = {}): StepBlock => ({
    at,
    label,
    status: label,
    tone: 'plain',
    details: '',
    gap: 0,
    ...more,
  })
  const linesOf = (steps: readonly StepBlock[], missing?: 'loading' | 'lost') =>
    detailLines({ ...VIEW, blocks: [{ kind: 'timeline', title: 'Timeline', steps, missing }] }, CONTEXT)
      .slice(1)
      .map((spans) => spans.map((span) => (typeof span === 'string' ? span : span[0])).join(''))
  const CREATED = step('2026-05-06T12:00:00.000Z', 'pending')

  test('shows the date once, and for each step its time, its details and the time since the step before', () => {
    const paid = step('2026-05-06T12:01:00.000Z', 'succeeded', { details: 'by SBP', gap: 1500 })
    const refund = step('2026-05-06T13:00:00.000Z', 'refund failed', { status: 'failed', gap: 60_000 })
    const [, heading, ...lines] = linesOf([CREATED, paid, refund])
    expect(heading).toBe('Timeline  2026-05-06')
    expect(lines.map((line) => line.replace(/[^\x20-\x7e]/g, '#'))).toEqual([
      '12:00:00.000  # pending',
      '12:01:00.000  # succeeded  by SBP  +1.500 s',
      '13:00:00.000  # refund failed  +60 s',
    ])
    expect(linesOf([CREATED, { ...paid, gap: 2000 }]).at(-1)).toContain('  +2 s')
    expect(linesOf([CREATED, { ...paid, gap: 59_999 }]).at(-1)).toContain('  +59.999 s')
    expect(linesOf([CREATED, { ...paid, gap: 71_600 }]).at(-1)).toContain('  +71.600 s')
    expect(linesOf([CREATED, { ...paid, gap: 150_000 }]).at(-1)).toContain('  +3 min')
  })

  test('has the dates in its lines if they differ', () => {
    const [, heading, first] = linesOf([CREATED, step('2026-05-07T12:00:00.000Z', 'expired')])
    expect(heading).toBe('Timeline')
    expect(first).toContain('05-06')
  })

  test('says why steps are missing, after the first one', () => {
    const steps = [CREATED, step('2026-05-06T12:01:00.000Z', 'succeeded')]
    const [, , ...loading] = linesOf(steps, 'loading')
    expect([loading.length, loading[1]]).toEqual([3, '          loading steps between these'])
    expect(linesOf(steps, 'lost')[3]).toBe('          steps between these are no longer available')
  })
})

test('a body and attempts that are not shown have a note instead', () => {
  const linesOf = (block: Block) => detailLines({ ...VIEW, blocks: [block] }, CONTEXT).slice(2)
  const note = (title: string, text: string) => [[[title, 'bold'], ''], [[text, 'dim']]]
  expect(linesOf({ kind: 'body', title: 'Request', body: 'lost' })).toEqual(note('Request', 'no longer available'))
  expect(linesOf({ kind: 'body', title: 'Request', body: 'loading' })).toEqual(note('Request', 'loading'))
  expect(linesOf({ kind: 'attempts', title: 'Attempts', attempts: [], missing: 'lost' })).toEqual(
    note('Attempts', 'no longer available'),
  )
})
