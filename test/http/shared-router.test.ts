import { expect, test } from 'vitest'
import { createSharedRouter } from '../../src/http/shared-router.ts'

test('two routers with the same paths keep their handlers apart', () => {
  const routers = ['a', 'b'].map((name) => {
    const router = createSharedRouter<string>()
    router.add('GET', '/items', `${name} lists`)
    router.add('POST', '/items', `${name} creates`)
    router.add('GET', '/items/:id', `${name} shows`)
    return router
  })
  const found = (method: string, path: string) =>
    routers.map((router) => router.match(method, path)[0].map(([handler]) => handler))
  expect(found('GET', '/items')).toEqual([['a lists'], ['b lists']])
  expect(found('POST', '/items')).toEqual([['a creates'], ['b creates']])
  expect(found('GET', '/items/1')).toEqual([['a shows'], ['b shows']])
  expect(found('DELETE', '/items/1')).toEqual([[], []])
  expect(found('GET', '/others')).toEqual([[], []])
})

test('a router with other paths finds only these', () => {
  const [first, second] = [createSharedRouter<string>(), createSharedRouter<string>()]
  first.add('GET', '/a', 'of the first')
  second.add('GET', '/b', 'of the second')
  expect(first.match('GET', '/a')[0].map(([handler]) => handler)).toEqual(['of the first'])
  expect(second.match('GET', '/b')[0].map(([handler]) => handler)).toEqual(['of the second'])
  expect(second.match('GET', '/a')[0]).toEqual([])
})

test('a route for all methods, or after the first request, is an error', () => {
  const router = createSharedRouter<string>()
  expect(() => router.add('ALL', '/a', 'x')).toThrow('The route ALL /a must have a method')
  router.match('GET', '/a')
  expect(() => router.add('GET', '/b', 'x')).toThrow('must be added before the first request')
})

test('paths that overlap are an error at the first request, because one regular expression cannot find them', () => {
  const router = createSharedRouter<string>()
  router.add('GET', '/items/:id', 'shows')
  router.add('GET', '/:kind/first', 'finds')
  expect(() => router.match('GET', '/items/1')).toThrow()
})
