import { expect, test } from 'vitest'
import { citedFirst, SECTIONS } from '../docs/specification-page.ts'
import { sources } from './source.ts'

/** The sections that say how something behaves; 4.1 to 4.8 and the parts of 5 are told apart within their file. */
const HELD = '2.1 2.2 2.3 2.4 2.5 2.6 2.7 3.1 3.2 3.3 3.4 4 5 6.1 6.2 7 8 9'.split(' ')

test('each section of the spec has a file of tests, which names it in its first line', () => {
  const cited = sources('test/spec').flatMap(({ text }) => citedFirst(text))
  const missing = HELD.filter((section) => !cited.includes(section))
  expect(missing, 'Write test/spec/<section>-<name>.test.ts with the first line `// Spec <section>: …`.').toEqual([])
})

test('each file of tests of the spec is called after a section it names', () => {
  const strangers = sources('test/spec').filter(({ path, text }) => {
    const section = /^(\d+(?:\.\d+)?)-/.exec(path.split('/').pop() ?? '')?.[1]
    return section === undefined || !citedFirst(text).includes(section)
  })
  const paths = strangers.map(({ path }) => path)
  expect(
    paths,
    'Call it <section>-<name>.test.ts, and name that section in its first line: `// Spec <section>: …`.',
  ).toEqual([])
})

test('each section that the code names is listed', () => {
  const listed = new Set(SECTIONS.map(([section]) => section))
  const unknown = [...sources('src'), ...sources('test')].flatMap(({ path, text }) =>
    [...text.matchAll(/\bspec (\d+(?:\.\d+)?)/gi)]
      .filter(([, section = '']) => !listed.has(section))
      .map(([cited]) => `${path}: ${cited}`),
  )
  expect(unknown, 'Sections are listed in test/docs/specification-page.ts, with what each is about.').toEqual([])
})
