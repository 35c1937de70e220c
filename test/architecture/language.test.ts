import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { commentsOf, kitCommentsOf, languageIssues, messagesOf, proseOf, type Text, titlesOf } from './language.ts'
import { sources } from './source.ts'

const scripts = [...sources('src'), ...sources('bench'), ...sources('scripts'), ...sources('bin')]
const tests = sources('test')
const documents = [
  ...['README.md', 'CHANGELOG.md'].map((path) => ({ path, text: readFileSync(path, 'utf8') })),
  ...sources('docs', ['.md']),
  ...sources('examples', ['.md']),
  ...sources('kits', ['.md']),
]
const kits = sources('kits', ['.py', '.go', '.php', '.java'])

describe('plain English', () => {
  let texts: readonly Text[]
  // Each file is parsed once, for its comments and for its other texts.
  beforeAll(() => {
    texts = [
      ...scripts.flatMap((script) => [...commentsOf(script), ...messagesOf(script)]),
      ...tests.flatMap((suite) => [...commentsOf(suite), ...titlesOf(suite)]),
    ]
  })
  const issuesOf = (kind: Text['kind']) => languageIssues(texts.filter((text) => text.kind === kind))

  test('comments use the words and forms of a native engineer', () => {
    expect(issuesOf('comment')).toEqual([])
    expect(languageIssues(kits.flatMap(kitCommentsOf))).toEqual([])
  })

  test('messages use the words and forms of a native engineer', () => {
    expect(issuesOf('message')).toEqual([])
  })

  test('documents use the words and forms of a native engineer', () => {
    expect(languageIssues(documents.flatMap(proseOf))).toEqual([])
  })

  test('titles of tests are full statements', () => {
    expect(issuesOf('title')).toEqual([])
  })
})

test('the checks find each kind of issue', () => {
  const script = {
    path: 'src/a.ts',
    text: "// Where it fails,\n// nobody is told.\nfail('the disk is full; what waits goes on')\n",
  }
  expect(languageIssues([...commentsOf(script), ...messagesOf(script)])).toEqual([
    'src/a.ts:1 comment "Where it fails, nobody is told.": use "if" or "when" for a condition',
    'src/a.ts:1 comment "Where it fails, nobody is told.": use "if", "when" or "that"; "where" follows the noun of a place',
    'src/a.ts:1 comment "it fails, nobody is told.": say report, print, return or contain',
    'src/a.ts:1 comment "Where it fails, nobody is told.": name who acts',
    'src/a.ts:1 comment "Where it fails, nobody is told.": begin with the subject',
    'src/a.ts:3 message "is full; what waits goes on": say continue',
  ])
  const suite = {
    path: 'test/a.test.ts',
    text: "test('of its kind', () => {})\ntest.each([1])('the store keeps row %d', () => {})\n",
  }
  expect(languageIssues(titlesOf(suite))).toEqual([
    'test/a.test.ts:1 title "of its kind": begin with the subject',
    'test/a.test.ts:1 title "of its kind": write a full statement',
  ])
  const document = { path: 'a.md', text: `${'word '.repeat(31)}\n\n\`nobody\` is code\n\n| a reply | b |\n` }
  expect(languageIssues(proseOf(document))).toEqual([
    'a.md:1 document "word word word word word word word word": over 30 words',
    'a.md:5 document "a reply": say response, or respond',
  ])
})

test.each([
  ['comment', 'Returns the name, else the id.', 'say "otherwise", or name the order'],
  ['comment', 'Closes it in the way in which it was opened.', 'say as'],
  ['document', 'It imports the events of production.', 'put production first'],
  ['message', 'Replace the present state?', 'say current, or now'],
  ['message', 'Play a built-in scenario', 'say run'],
  ['comment', 'All other bytes stay.', 'say remains, is kept, or is not changed'],
  ['comment', 'Creates a payment and leads it to a status.', 'say bring'],
  ['document', 'It offers outcomes by one press.', 'say with one click'],
  ['document', 'The server remembers the key.', 'say store or record'],
  ['document', 'The file has 88 MB.', 'say is, or contains'],
  ['document', 'Its items have more than 8 MiB.', 'say is, or contains'],
  ['comment', 'A clock in the form of the command line.', 'say as, or in the format of'],
  ['comment', 'A rule with the number of its matches.', 'say how often'],
  ['message', 'The endpoint is added.', 'put a finished action in the past tense'],
] as const)('the checks find the form of the %s "%s"', (kind, text, advice) => {
  const issues = languageIssues([{ path: 'a.ts', line: 1, kind, text }])
  expect(issues).toEqual([expect.stringContaining(`: ${advice}`)])
})

test('the checks find an option that is described without a noun', () => {
  const cell = { line: 1, kind: 'document', text: 'your order' } as const
  expect(languageIssues([{ path: 'docs/reference/commands.md', ...cell }])).toHaveLength(1)
  expect(languageIssues([{ path: 'docs/guides/clock.md', ...cell }])).toEqual([])
})

test('the checks find a command without backticks in a message of the server', () => {
  const texts = (path: string) =>
    messagesOf({
      path,
      text: 'a = "See the list: psp keys list shows it."\nb = "Its log (`psp serve --debug`) shows it."',
    })
  expect(languageIssues(texts('src/http/a.ts'))).toEqual([
    'src/http/a.ts:1 message "See the list: psp keys list shows it.": put the command in backticks',
  ])
  expect(languageIssues(texts('src/cli/a.ts'))).toEqual([])
})

test('a place where a line starts is not a condition', () => {
  const script = { path: 'src/a.ts', text: '// Returns the line where the journal ends.\n' }
  expect(languageIssues(commentsOf(script))).toEqual([])
})
