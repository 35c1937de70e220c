// The address of a view can be opened again, and sent to a colleague.
import { expect, it } from 'vitest'
import { formatRoute, parseRoute, type Route } from '../../src/dashboard/state/route.ts'

it.each<[string, string, Route]>([
  ['/ui/payments', '', { view: 'payments', id: '', query: {} }],
  ['/ui/payments/3bac26d9', '', { view: 'payments', id: '3bac26d9', query: {} }],
  ['/psp/ui/events/evt%201%2F2', '', { view: 'events', id: 'evt 1/2', query: {} }],
  ['/ui/payments', '?status=failed&q=a%26b', { view: 'payments', id: '', query: { status: 'failed', q: 'a&b' } }],
])('the address %s%s shows the same view after it is opened again', (path, search, route) => {
  const root = path.slice(0, path.indexOf('ui'))
  expect(parseRoute(path, search, root)).toEqual(route)
  const [formatted = '', query = ''] = formatRoute(route, root).split('?')
  expect(formatted).toBe(path)
  expect(parseRoute(formatted, query, root)).toEqual(route)
})

it('an address has no parameter without a value, and no question mark without a parameter', () => {
  expect(formatRoute({ view: 'payments', id: '', query: { status: '', q: 'a b', sort: '' } }, '/')).toBe(
    '/ui/payments?q=a+b',
  )
  expect(formatRoute({ view: 'payments', id: 'x', query: { status: '' } }, '/')).toBe('/ui/payments/x')
})

it('an address without a view, or with a wrong escape, is read as it is', () => {
  expect(parseRoute('/ui', '', '/')).toEqual({ view: '', id: '', query: {} })
  expect(parseRoute('/ui/events/100%', '', '/')).toEqual({ view: 'events', id: '100%', query: {} })
})
