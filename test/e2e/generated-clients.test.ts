// Clients in other languages that are generated from the OpenAPI documents and used with a server.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHANGED_MESSAGE, EXPECTED_RESULTS } from './clients/expected-results.ts'
import { QUICK_JAVA, QUICK_JAVAC } from './clients/quick-java.ts'
import {
  hasGo,
  hasJava,
  hasPython,
  JAVA_LIBRARIES,
  needs,
  OAPI_CODEGEN,
  OPENAPI_GENERATOR,
  OPENAPI_PYTHON_CLIENT,
  PYTHON,
} from './clients/tools.ts'
import { createWorkspace } from './helpers.ts'

const PROGRAMS = new URL('./clients/', import.meta.url).pathname

/** The names of the documents. */
const NAMES = ['public', 'control'] as const

let folder: string
let close: () => unknown
let url: string
let key: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'psp-clients-'))
  const { psp, serve, remove } = createWorkspace()
  close = remove
  await psp('openapi', '--out', join(folder, 'public.json'))
  await psp('openapi', '--control', '--out', join(folder, 'control.json'))
  const { ready } = await serve('--ephemeral', '--clock', 'frozen')
  url = ready.url
  key = ready.api_key
})
afterAll(async () => {
  await close()
  rmSync(folder, { recursive: true })
})

function createProject(name: string, files: { readonly [path: string]: string }): string {
  const place = join(folder, name)
  mkdirSync(place)
  for (const [file, source] of Object.entries(files)) copyFileSync(join(PROGRAMS, source), join(place, file))
  return place
}

/** Runs a program with the URL, a key and a message of the event stream, and returns its output. */
async function outputOf(cwd: string, command: string, args: readonly string[]): Promise<unknown> {
  const { stdout } = await execa(command, [...args, url, key, JSON.stringify(CHANGED_MESSAGE)], { cwd })
  return JSON.parse(stdout)
}

describe.skipIf(!hasPython)(`Python clients (${needs('openapi-python-client')})`, () => {
  test('the Python clients have every schema and operation, and a program that uses them runs', async () => {
    const cwd = createProject('python', { 'shop.py': 'python/shop.py' })
    writeFileSync(join(cwd, 'config.yaml'), 'post_hooks: []\n')
    for (const name of NAMES) {
      const args = ['generate', '--path', `../${name}.json`, '--output-path', `psp_${name}`, '--meta', 'none']
      const { all } = await execa(OPENAPI_PYTHON_CLIENT, [...args, '--config', 'config.yaml'], { cwd, all: true })
      // The generator omits a schema or operation that it cannot generate, with a warning.
      expect(all).not.toMatch(/warning|unable/i)
    }
    expect(await outputOf(cwd, PYTHON, ['shop.py'])).toEqual(EXPECTED_RESULTS)
  })
})

describe.skipIf(!hasGo)(`Go clients (${needs('oapi-codegen')})`, () => {
  test('the clients compile, and a program on them runs', async () => {
    const files = { 'main.go': 'go/main.go', 'go.mod': 'go/go.mod', 'go.sum': 'go/go.sum' }
    const cwd = createProject('go', files)
    for (const name of NAMES) {
      mkdirSync(join(cwd, name))
      const options = 'generate: {models: true, client: true}\noutput-options: {skip-prune: true}\n'
      writeFileSync(join(cwd, `${name}.yaml`), `package: ${name}\noutput: ${name}/client.go\n${options}`)
      await execa(OAPI_CODEGEN, ['-config', `${name}.yaml`, `../${name}.json`], { cwd })
    }
    expect(await outputOf(cwd, 'go', ['run', '.'])).toEqual(EXPECTED_RESULTS)
  })
})

// A busy machine needs minutes to compile hundreds of classes.
describe.skipIf(!hasJava)(`Java clients (${needs('openapi-generator')})`, { timeout: 600_000 }, () => {
  test('the clients compile, and a program on them runs', async () => {
    const cwd = createProject('java', { 'Shop.java': 'java/Shop.java' })
    // One run of Java for both documents. The documentation and the tests of a client are not compiled.
    const unused = { apiDocs: 'false', apiTests: 'false', modelDocs: 'false', modelTests: 'false' }
    for (const name of NAMES) {
      const at = `psp.${name}api`
      const packages = { invokerPackage: at, apiPackage: `${at}.api`, modelPackage: `${at}.model` }
      const options = { ...packages, useJakartaEe: 'true', openApiNullable: 'false' }
      const paths = { inputSpec: join(folder, `${name}.json`), outputDir: join(cwd, name) }
      const settings = { generatorName: 'java', ...paths, globalProperties: unused, additionalProperties: options }
      writeFileSync(join(cwd, `${name}.yaml`), JSON.stringify(settings))
    }
    const files = NAMES.map((name) => `${name}.yaml`)
    await execa('java', [...QUICK_JAVA, '-jar', OPENAPI_GENERATOR, 'batch', '--threads', '1', ...files], { cwd })
    const sources = NAMES.flatMap((name) => filesIn(join(cwd, name, 'src/main/java')))
    writeFileSync(join(cwd, 'sources'), ['Shop.java', ...sources].join('\n'))
    const classes = ['classes', join(JAVA_LIBRARIES, '*')].join(delimiter)
    await execa('javac', [...QUICK_JAVAC, '-nowarn', '-d', 'classes', '-cp', classes, '@sources'], { cwd })
    // The generator supports a plan only as a text, not as a list.
    const [rule] = EXPECTED_RESULTS.rule
    expect(await outputOf(cwd, 'java', [...QUICK_JAVA, '-cp', classes, 'Shop'])).toEqual({ ...EXPECTED_RESULTS, rule })
  })
})

function filesIn(place: string): string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.java'))
    .map(({ parentPath, name }) => join(parentPath, name))
}
