// The schema and the page of the seed file agree with the program.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSeed } from '../../src/sandbox.ts'
import { createTestDir, psp, startPsp, waitUntil } from '../cli/helpers.ts'
import { SEED_EXAMPLE } from './seed-page.ts'
import { seedSchema } from './seed-schema.ts'

const folder = createTestDir()
afterAll(() => folder.remove())

// Editors use the file; `npm run docs` writes it.
test('the shipped schema names every part and field of a seed', async () => {
  await expect(`${JSON.stringify(seedSchema(), null, 2)}\n`).toMatchFileSnapshot('../../fixtures/psp.seed.schema.json')
})

test('the shipped schema refers to no schema outside itself, so that an editor can resolve it', () => {
  const shipped = readFileSync(new URL('../../fixtures/psp.seed.schema.json', import.meta.url), 'utf8')
  expect(shipped.match(/"\$ref": "[^"]*"/g)).toBeNull()
})

test('the program accepts the parts in the schema and rejects others', () => {
  for (const [name, part] of Object.entries(seedSchema().properties)) {
    if (part.type === 'array') expect(() => readSeed({ [name]: [{ no_such_field: 1 }] })).toThrow(`${name}[0].`)
    else expect(() => readSeed({ [name]: name === '$schema' ? 'x' : {} })).not.toThrow()
  }
  expect(() => readSeed({ shop: [] })).toThrow('shop: unknown field')
})

test('psp serve accepts the example of the page', async () => {
  writeFileSync(join(folder.path, 'shops.json'), JSON.stringify(SEED_EXAMPLE))
  const argv = ['serve', '--port', '0', '--ephemeral', '--seed', 'shops.json', '--json']
  const server = startPsp(argv, { cwd: folder.path })
  const { url } = JSON.parse(await waitUntil(() => server.output().includes('\n') && server.output().split('\n')[0]))
  const env = { PSP_URL: url }
  const { stdout } = await psp('payments list --json', { env })
  expect(JSON.parse(stdout).items).toMatchObject([{ order_id: 'A-1' }])
  server.signal('SIGINT')
  expect((await server.ended).code).toBe(0)
})

test.each([
  ['{"shops":[{"endpoints":[{"url":"nowhere"}]}]}', 'shops[0].endpoints[0].url'],
  ['{"shops":[],}', 'is not JSON'],
])('an error of a seed names its position and the documents: %s', async (text, message) => {
  writeFileSync(join(folder.path, 'bad.json'), text)
  const { code, stderr } = await psp('serve --port 0 --ephemeral --seed bad.json', { cwd: folder.path })
  expect(code).toBe(2)
  expect(stderr).toContain(message)
  expect(stderr).toContain('docs/reference/seed.md')
  expect(stderr).toContain('psp.seed.schema.json')
})
