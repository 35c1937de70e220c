// The route that is nearest to a path, if several are near.
import { expect, test } from 'vitest'
import { seeksHealth } from '../../../src/http/guards/not-found.ts'
import { pathSuggestion } from '../../../src/http/guards/path-suggestions.ts'

const get = (path: string) => ({ method: 'GET', path })

test.each([
  // A route without a typo is nearer than a public one with a typo.
  ['/cards', ['/v1/public/carts', '/_psp/cards'], '/_psp/cards'],
  ['/shop/cards', ['/v1/public/shops/carts', '/_psp/shops/cards'], '/_psp/shops/cards'],
  // The typos of all segments count.
  ['/clients/cardz', ['/v1/public/clients/carts', '/v1/public/clientz/carts'], '/v1/public/clients/carts'],
  // The public API has priority, unless the prefix names the other.
  ['/cards', ['/_psp/cards', '/v1/public/cards'], '/v1/public/cards'],
  ['/psp/cards', ['/v1/public/cards', '/_psp/cards'], '/_psp/cards'],
  ['/api/cards', ['/v1/public/cards', '/api/v1/public/cards'], '/api/v1/public/cards'],
])('the path %s is nearest to one of %j: %s', (path, routes, nearest) => {
  expect(pathSuggestion('GET', path, routes.map(get))).toBe(` Did you mean ${nearest}?`)
})

test.each([
  ['/_psp', true],
  ['/_psp/', true],
  ['/_psp/health', false],
  ['/_psp/healthz', true],
  ['/health', true],
  ['/x/health', false],
  ['', false],
])('a caller at %s seeks the health check: %s', (path, seeks) => {
  expect(seeksHealth(path)).toBe(seeks)
})
