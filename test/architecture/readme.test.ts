import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

test('every place the README names is there', () => {
  const text = readFileSync(new URL('README.md', root), 'utf8')
  const table = text.slice(text.indexOf('## Where each rule lives'), text.indexOf('## Working on it'))
  const places = [...table.matchAll(/`((?:src|fixtures|docs)\/[^`]*)`/g)].map(([, path]) => path ?? '')
  expect(places.length).toBeGreaterThan(10)
  expect(places.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

test('every file the guide for contributors names is there', () => {
  const text = readFileSync(new URL('docs/contributing.md', root), 'utf8')
  const places = [...text.matchAll(/`((?:src|fixtures|docs|test)\/[\w./-]*)`/g)].map(([, path]) => path ?? '')
  expect(places.length).toBeGreaterThan(20)
  expect(places.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

test('the credentials in the README are those of a new data folder', () => {
  const text = readFileSync(new URL('README.md', root), 'utf8')
  const start = JSON.parse(readFileSync(new URL('fixtures/start-shop.json', root), 'utf8')) as Record<string, string>
  for (const name of ['api_key', 'signing_secret', 'webhook_secret']) expect(text).toContain(`\`${start[name]}\``)
})
