// What else may lie in the folder of snapshots.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { assembleSandbox } from '../../../src/sandbox.ts'
import { temporaryFolder } from '../../store/fixtures.ts'

test('a folder, and files that are emptied, cut or nothing of ours, are no snapshots', async () => {
  const folder = temporaryFolder()
  const sandbox = await assembleSandbox({ folder })
  onTestFinished(() => sandbox.close({ grace_ms: 0 }))
  const ask = async (method: string, path: string) => {
    const response = await sandbox.fetch(new Request(`http://127.0.0.1/_psp/snapshots${path}`, { method }))
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  expect((await ask('PUT', '/good')).status).toBe(200)
  const file = (name: string) => join(folder, 'snapshots', `${name}.json`)
  const good = readFileSync(file('good'), 'utf8')
  mkdirSync(file('dir'))
  writeFileSync(file('empty'), '')
  writeFileSync(file('cut'), good.slice(0, good.lastIndexOf('"rules"')))
  writeFileSync(file('other'), '{"format":1,"tables":{}}')

  const { status, body } = await ask('GET', '')
  expect([status, body.items.map(({ name }: { name: string }) => name)]).toEqual([200, ['cut', 'good']])
  expect((await ask('GET', '/dir')).status).toBe(404)
  expect((await ask('POST', '/dir/restore')).status).toBe(404)
  expect((await ask('DELETE', '/dir')).status).toBe(404)
  const taken = await ask('PUT', '/dir')
  expect([taken.status, taken.body.error.code]).toEqual([503, 'storage_unavailable'])
  for (const name of ['empty', 'cut', 'other']) {
    for (const [method, path] of [
      ['GET', `/${name}`],
      ['POST', `/${name}/restore`],
    ] as const) {
      const refused = await ask(method, path)
      expect(refused.status).toBe(409)
      expect(refused.body.error.message).toContain(`${file(name)}:`)
    }
  }
  expect((await ask('DELETE', '/empty')).status).toBe(204)
  expect((await ask('POST', '/good/restore')).status).toBe(200)
})
