// Probes that show nothing, or never settle, must neither pass nor blame the handler.
import { describe, expect, test } from 'vitest'
import { ProbeError } from '../../src/audit/ports.ts'
import { FindingFileError, findingDocument, parseFinding } from '../../src/explore/finding-file.ts'
import { CORRECT_HANDLERS } from './handlers/correct.ts'
import { exploreHandler, replayReport } from './handlers/explore-handler.ts'
import { createNamed, type Handler } from './handlers/handler.ts'
import { PLANTED_BUGS } from './handlers/planted-bugs.ts'

const correct = () => createNamed(CORRECT_HANDLERS, 'merges')

describe.each<[string, Handler['order']]>([
  ['shows the same state of every order', () => ({ status: 'new', received: 0 })],
  ['knows no order', () => undefined],
  ['shows a web page', () => '<html><body>Shop</body></html>'],
])('a probe that %s', (_, order) => {
  test('is a finding, and ends the search', async () => {
    const handler = { ...correct(), order, balance: () => 0 }
    const { findings, end } = await exploreHandler(handler, { maxMessages: 100 })
    expect(findings.map(({ id, title }) => `${id}: ${title}`)).toEqual([
      'truth: orders/{order_id} and balance did not change in any story.',
    ])
    expect(end).toBe('no effect')
  })
})

test('a replay does not pass if no probe shows an effect', async () => {
  const { findings } = await exploreHandler(createNamed(PLANTED_BUGS, 'shows a part refund'), { maxMessages: 60 })
  const [finding] = findings
  if (finding === undefined) throw new Error('no finding')
  const silent = { ...correct(), order: () => ({ status: 'new' }), balance: () => 0 }
  expect((await replayReport(silent, finding)).finding?.title).toContain('did not change in any story')
  expect((await replayReport(correct(), finding)).finding).toBeUndefined()
})

test('fields are judged, although the handler refuses all attempts of its first event', async () => {
  const handler = correct()
  let attempts = 0
  const handle: Handler['handle'] = async (event) => (++attempts <= 9 ? 500 : await handler.handle(event))
  const { findings, volatile, notJudged } = await exploreHandler({ ...handler, handle }, { maxMessages: 60 })
  expect({ findings, volatile, notJudged }).toEqual({ findings: [], volatile: [], notJudged: [] })
})

test('a probe of the money that does not change is reported, and the orders are judged', async () => {
  const { findings, silent, end } = await exploreHandler({ ...correct(), balance: () => 0 }, { maxMessages: 60 })
  expect({ findings, silent, end }).toEqual({ findings: [], silent: ['balance'], end: 'deliveries' })
})

test('a probe that returns another value at each read ends the search without a finding', async () => {
  let reads = 0
  const handler = { ...correct(), order: () => ({ status: `s${++reads}` }), balance: () => ++reads }
  const search = exploreHandler(handler, { maxMessages: 60 })
  await expect(search).rejects.toThrow(ProbeError)
  await expect(search).rejects.toThrow('The probe orders/{order_id} does not settle: $.status differs at each read.')
})

test('a finding names the probe that shows it, and its file contains the name', async () => {
  const { findings } = await exploreHandler(createNamed(PLANTED_BUGS, 'shows a part refund'), { maxMessages: 60 })
  const [finding] = findings
  if (finding === undefined) throw new Error('no finding')
  expect(parseFinding(findingDocument(finding)).probe).toEqual({ label: 'orders/{order_id}', isPerOrder: true })
})

test('a file whose story sends nothing is not a finding', () => {
  const story = { amounts: { main: 1000, unrelated: 1000 }, steps: [{ do: 'create', payment: 'p1', order: 'main' }] }
  const finding = { id: 'truth', title: 'x', story, schedule: [[{ event: 'pay p1', copies: 1 }]], resends_all: false }
  expect(() => parseFinding({ finding })).toThrow(FindingFileError)
  const message = 'finding.story.steps: expected a step that sends an event.'
  expect(() => parseFinding({ finding })).toThrow(expect.objectContaining({ name: 'FindingFileError', message }))
})
