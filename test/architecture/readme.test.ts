import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

test('every path in the README exists', () => {
  const text = readFileSync(new URL('README.md', root), 'utf8')
  const table = text.slice(text.indexOf('## Source map'), text.indexOf('## Working on it'))
  const places = [...table.matchAll(/`((?:src|fixtures|docs)\/[^`]*)`/g)].map(([, path]) => path ?? '')
  expect(places.length).toBeGreaterThan(10)
  expect(places.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

test('every file in the guide for contributors exists', () => {
  const text = readFileSync(new URL('docs/contributing.md', root), 'utf8')
  const places = [...text.matchAll(/`((?:src|fixtures|docs|test)\/[\w./-]*)`/g)].map(([, path]) => path ?? '')
  expect(places.length).toBeGreaterThan(20)
  expect(places.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

test('the credentials in the README are those of a new data directory', () => {
  const text = readFileSync(new URL('README.md', root), 'utf8')
  const start = JSON.parse(readFileSync(new URL('fixtures/start-shop.json', root), 'utf8')) as Record<string, string>
  for (const name of ['api_key', 'signing_secret', 'webhook_secret']) expect(text).toContain(`\`${start[name]}\``)
})

test('the README begins with the two commands of a clone, followed by those of a project that installs psp', () => {
  const text = readFileSync(new URL('README.md', root), 'utf8')
  const places = [
    'npm ci && npx psp demo',
    'npm ci && npm test',
    'npm i -D ./psp-sandbox',
    'npx --no -- psp',
    '## A minute',
  ]
  const found = places.map((place) => text.indexOf(place))
  expect(found).not.toContain(-1)
  expect(found).toEqual(found.toSorted((a, b) => a - b))
  expect(text).toContain('http_return_url=true')
})

test('the guide names the packages that psp-sandbox installs in production', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  const guide = readFileSync(new URL('docs/guides/verifying-signatures.md', root), 'utf8')
  const installed = /installs (`.*`) there/.exec(guide)?.[1] ?? ''
  expect(installed.match(/[\w-]+(?=`)/g)).toEqual(Object.keys(dependencies).sort())
  expect(guide).toContain('npm ci --omit=dev')
})
