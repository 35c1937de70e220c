import { expect, test } from 'vitest'
import { citedFirst, SECTIONS } from '../docs/specification-page.ts'
import { sources } from './source.ts'

/** The sections that describe behaviour. The tests of 4.1 to 4.8 and of the parts of 5 share a file. */
const TESTED = '2.1 2.2 2.3 2.4 2.5 2.6 2.7 3.1 3.2 3.3 3.4 4 5 6.1 6.2 7 8 9'.split(' ')

test('each section of the specification has a test file that names it in its first line', () => {
  const cited = sources('test/spec').flatMap(({ text }) => citedFirst(text))
  const missing = TESTED.filter((section) => !cited.includes(section))
  expect(missing, 'Write test/spec/<section>-<name>.test.ts with the first line `// Spec <section>: …`.').toEqual([])
})

test('each test file in test/spec is named after a section in its first line', () => {
  const misnamed = sources('test/spec').filter(({ path, text }) => {
    const section = /^(\d+(?:\.\d+)?)-/.exec(path.split('/').pop() ?? '')?.[1]
    return section === undefined || !citedFirst(text).includes(section)
  })
  const paths = misnamed.map(({ path }) => path)
  expect(
    paths,
    'Rename it to <section>-<name>.test.ts, and name that section in its first line: `// Spec <section>: …`.',
  ).toEqual([])
})

test('each section that the code refers to is listed', () => {
  const listed = new Set(SECTIONS.map(([section]) => section))
  const unknown = [...sources('src'), ...sources('test')].flatMap(({ path, text }) =>
    [...text.matchAll(/\bspec (\d+(?:\.\d+)?)/gi)]
      .filter(([, section = '']) => !listed.has(section))
      .map(([cited]) => `${path}: ${cited}`),
  )
  expect(unknown, 'Add the section to SECTIONS in test/docs/specification-page.ts.').toEqual([])
})
