import { expect, it } from 'vitest'
import { type SandboxTestOptions, sandboxTest } from '../../src/vitest/index.ts'

it.each<[string, SandboxTestOptions]>([
  ['no options', {}],
  ['a sandbox for each test', { scope: 'test' }],
  ['a sandbox for each worker', { scope: 'worker' }],
  ['a running server', { url: 'http://127.0.0.1:7770' }],
  ['a running server and the scope of it', { scope: 'worker', url: 'http://127.0.0.1:7770' }],
])('`sandboxTest` accepts %s and returns a test', (_, options) => {
  expect(sandboxTest(options)).toEqual(expect.any(Function))
})

it('the scope is `worker` if it is omitted, so the options may be omitted, too', () => {
  expect(sandboxTest()).toEqual(expect.any(Function))
})

it('an unknown scope is rejected with the scopes that exist', () => {
  expect(() => sandboxTest({ scope: 'file' } as unknown as SandboxTestOptions)).toThrow(
    new TypeError('scope: expected worker or test, got "file".'),
  )
})

it('a sandbox for each test cannot be a shared server', () => {
  expect(() => sandboxTest({ scope: 'test', url: 'http://127.0.0.1:7770' })).toThrow(
    new TypeError("scope: 'test' starts a sandbox for each test; the server of url is shared. Omit one of them."),
  )
})
