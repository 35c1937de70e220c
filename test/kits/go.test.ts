// The suite of the Go kit.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runs } from '../e2e/clients/tools.ts'
import { KITS, needs, run } from './suite.ts'

const KIT = join(KITS, 'go')

describe.skipIf(!runs('go', 'version'))(needs('Go', 'go'), () => {
  test('the suite of the Go kit passes, with the README and the example shop', async () => {
    expect(await run('go', ['test', '-count=1', './...'], KIT)).toMatch(/^ok /m)
    await run('go', ['vet', './...'], KIT)
    expect(await run('gofmt', ['-l', '.'], KIT)).toBe('')
  })
})
