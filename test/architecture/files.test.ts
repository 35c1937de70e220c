import { expect, test } from 'vitest'
import { FORBIDDEN_NAMES, LONGEST_FILE } from './modules.ts'
import { type Source, sources } from './source.ts'

const files = [...sources('src', ['']), ...sources('bin'), ...sources('scripts')]

test('no file is longer than the limit', () => {
  expect(longFiles(files)).toEqual([])
})

test('the name of every directory and file says what it contains', () => {
  expect(missingNames(files)).toEqual([])
})

test('the checks find a long file and a meaningless name', () => {
  const long = { path: 'src/a.ts', text: 'x\n'.repeat(LONGEST_FILE + 1) }
  const full = { path: 'src/b.ts', text: 'x\n'.repeat(LONGEST_FILE) }
  expect(longFiles([long, full])).toEqual([
    `src/a.ts:${LONGEST_FILE + 1} is past ${LONGEST_FILE} lines: split it by meaning`,
  ])
  const named = ['src/http/utils/a.ts', 'src/cli/helpers.ts', 'src/cli/output/output.ts'].map((path) => ({
    path,
    text: '',
  }))
  expect(missingNames(named)).toEqual([
    'src/http/utils/a.ts:1 hides behind "utils"',
    'src/cli/helpers.ts:1 hides behind "helpers"',
  ])
})

function longFiles(all: readonly Source[]): string[] {
  return all
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0) }))
    .filter(({ lines }) => lines > LONGEST_FILE)
    .map(({ path, lines }) => `${path}:${lines} is past ${LONGEST_FILE} lines: split it by meaning`)
}

function missingNames(all: readonly Source[]): string[] {
  return all.flatMap(({ path }) => {
    const name = path.split('/').find((part) => FORBIDDEN_NAMES.includes(part.replace(/\..*$/, '')))
    return name === undefined ? [] : [`${path}:1 hides behind "${name.replace(/\..*$/, '')}"`]
  })
}
