import { expect, test } from 'vitest'
import { sources } from './source.ts'

/** The sections that say how something behaves; 4.1 to 4.8 and the parts of 5 are told apart within their file. */
const SECTIONS = '2.1 2.2 2.3 2.4 2.5 2.6 2.7 3.1 3.2 3.3 3.4 4 5 6.1 6.2 7 8 9'.split(' ')

test('each section of the spec has a file of tests, which names it in its first line', () => {
  const cited = sources('test/spec').flatMap(({ text }) => {
    const line = /^\/\/ Spec (.*)/.exec(text)?.[1] ?? ''
    return line.match(/\d+(?:\.\d+)?/g) ?? []
  })
  expect(SECTIONS.filter((section) => !cited.includes(section))).toEqual([])
})

test('each file of tests of the spec is called after a section it names', () => {
  const strangers = sources('test/spec').filter(({ path, text }) => {
    const section = /^(\d+(?:\.\d+)?)-/.exec(path.split('/').pop() ?? '')?.[1]
    return section === undefined || !(/^\/\/ Spec (.*)/.exec(text)?.[1] ?? '').split(/[^\d.]+/).includes(section)
  })
  expect(strangers.map(({ path }) => path)).toEqual([])
})
