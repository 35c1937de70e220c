// Texts that are wider than their place continue on more lines, and nothing of them is lost.
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { detailLines } from '../../src/tui/panes/detail-lines.ts'
import { bodyLines } from '../../src/tui/panes/json-lines.ts'
import type { State } from '../../src/tui/state/state.ts'
import type { StyledLines } from '../../src/tui/theme/styled-line.ts'
import { parseFilter } from '../../src/view-model/rows/filter.ts'
import { applyActions, createState, NOW, PLAIN_THEME, pressKeys, typeText } from './fixtures.ts'
import { renderFrame } from './render-frame.tsx'

const context = (width: number) =>
  ({ width, symbols: PLAIN_THEME.symbols, folding: { all: false, toggled: new Set<string>() } }) as const
const textsOf = (lines: StyledLines) =>
  lines.map((spans) =>
    spans
      .map((span) => (typeof span === 'string' ? span : span[0]))
      .join('')
      .trimEnd(),
  )
const screenOf = (state: State) => stripVTControlCharacters(renderFrame(state))

describe('a value of JSON that is too wide', () => {
  const shown = (value: object, width: number) =>
    textsOf(bodyLines({ text: JSON.stringify(value, null, 2), isBase64: false }, '', context(width), 'b'))

  it('begins below its key', () => {
    expect(shown({ finalized_at: '2026-11-29T23:40:00.888Z', id: 1 }, 36)).toEqual([
      '▾ {',
      '    "finalized_at":',
      '      "2026-11-29T23:40:00.888Z",',
      '    "id": 1',
      '  }',
    ])
  })

  it.each([20, 21, 22, 23, 24, 25, 26, 27, 28])(
    'never has its quotes or its comma alone on a line of %i columns, and is complete',
    (width) => {
      const lines = shown({ a: 'x'.repeat(40), b: 2 }, width)
      expect(lines.filter((line) => /^\s*["\]},]{1,2}$/.test(line))).toEqual(['  }'])
      expect(lines.join('').replaceAll(' ', '')).toContain(`"a":"${'x'.repeat(40)}",`)
    },
  )
})

it('a comparison shows both values completely, because they may differ at the end', () => {
  const value = (end: string) => `t=1,v1=${'a'.repeat(64)},v2=${'b'.repeat(63)}${end}`
  const view = {
    title: 'Attempts 1 and 2',
    note: '',
    problem: undefined,
    summary: [],
    blocks: [
      {
        kind: 'lines',
        title: 'Request',
        lines: [
          [
            { text: '- x-psp-signature', tone: 'failure' },
            { text: value('1'), tone: 'plain' },
          ],
          [
            { text: '+ x-psp-signature', tone: 'success' },
            { text: value('2'), tone: 'plain' },
          ],
        ],
      },
    ],
  } as const
  const lines = textsOf(detailLines(view, context(50)))
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(50)
  const all = lines.join('').replaceAll(' ', '')
  expect(all).toContain(value('1'))
  expect(all).toContain(value('2'))
})

it('a notice that is wider than a compact screen covers the last rows', () => {
  const text = 'The payment has already succeeded. Press n to create another one.'
  const { state } = applyActions(createState(40, 12), { type: 'notice', text, now: NOW })
  const words = screenOf(state).replace(/[^A-Za-z.]+/g, ' ')
  expect(words).toContain(text)
  expect(screenOf(state).split('\n')[0]).toMatch(/^ psp {2}!0/)
})

it.each([40, 80, 120])('the fields of a filter are shown completely on %i columns', (columns) => {
  const { state } = applyActions(createState(columns, 24), ...pressKeys('/'), ...typeText('foo=1'))
  const { problem = '' } = parseFilter('foo=1', 'payments')
  expect(problem).toContain('metadata.KEY')
  expect(screenOf(state).replace(/[│\s]+/g, ' ')).toContain(problem)
})

it('the problem of a form is shown completely on 40 columns', () => {
  const { state } = applyActions(createState(40, 24), ...pressKeys('n'), ...typeText('0'), ...pressKeys('enter'))
  if (state.overlay?.kind !== 'form') throw new Error('the form is not open')
  const { problem = '' } = state.overlay.form
  expect(problem.length).toBeGreaterThan(36)
  const words = (text: string) => text.replace(/[^A-Za-z]+/g, ' ').trim()
  expect(words(screenOf(state))).toContain(words(problem))
})

it('a question is shown completely on 40 columns', () => {
  const question = 'Cancel 6221de64, 3 000.00 RUB? This cannot be undone.'
  const overlay = { kind: 'confirm', question, effect: { do: 'cancel', id: 'p1' } } as const
  const shown = screenOf({ ...createState(40, 12), overlay })
  expect(shown.replace(/[│\s]+/g, ' ')).toContain(question)
})
