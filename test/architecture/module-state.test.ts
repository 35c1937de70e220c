// Any number of sandboxes run in one process, and decisions are pure: what a module keeps is not about one of them.
import { expect, test } from 'vitest'
import { sources } from './source.ts'

/** What modules may keep, by room and file: nothing that depends on a sandbox, and little of it. */
const KEPT: { readonly [file: string]: string } = {
  'domain hmac.ts': 'keys made of secrets, by the secret',
  'engine plan.ts': 'the last text that was read as a plan',
  'http banks.ts': 'the directory as JSON, by the list itself',
  'receiver-client exchange.ts': 'headers that receivers repeat',
  'settings.ts': 'defaults, by name',
  'store block.ts': 'room to encode in',
  'store lock-file.ts': 'a number, so that names differ',
  'store lock.ts': 'a number, so that openings differ',
  'store row-text.ts': 'bytes to search for, by the name of a field',
  'tui counts.ts': 'what was made of rows, by the rows themselves',
  'tui detail.ts': 'what was made of a detail, by the detail itself',
  'tui haystack.ts': 'what was made of a row, by the row itself',
  'tui seen-rows.ts': 'what was made of rows, by the rows themselves',
}

const STATE =
  /^(?:export )?(?:let \w|const \w+(?:: [^=]+)? = (?:new (?:Weak)?(?:Map|Set)(?:<[^(]*>)?\(\)|create[A-Z]\w*\())/m
/** A page's script lives in a browser; an empty set that nobody may add to keeps nothing. */
const isOurs = ({ path }: { readonly path: string }) => path.endsWith('.ts') && !path.includes('/assets/')

/** Files move within a room. */
function placeOf(path: string): string {
  const [, room = '', ...rest] = path.split('/')
  return rest.length === 0 ? room : `${room} ${rest.at(-1)}`
}

test('modules keep nothing but what is listed', () => {
  const found = sources('src')
    .filter(isOurs)
    .filter(({ text }) => STATE.test(text.replace(/^const \w+: Readonly(?:Set|Map)<.*$/gm, '')))
  expect(found.map(({ path }) => placeOf(path)).sort()).toEqual(Object.keys(KEPT).sort())
})

test.each([
  'let last: string | undefined',
  'const cursors = new WeakMap<World, Map<TableName, string>>()',
  'const kept: Map<string, string> = new Map()',
  'const shownAgain = createKeptAnswers((payment) => payment)',
])('the check sees %s', (line) => {
  expect(STATE.test(`import x from 'y'\n\n${line}\n`)).toBe(true)
})
