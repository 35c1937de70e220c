// Programs that use clients generated from the documents compile, and run against a server.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { build as bundle, transform } from 'esbuild'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlDocument } from '../../src/http/control/document.ts'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import { publicDocument } from '../../src/http/openapi/public-document.ts'
import type { RunningServer } from '../../src/node/server.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { frozenSandbox } from '../contract/adapter.ts'
import { CHANGED_MESSAGE, EXPECTED_RESULTS } from '../e2e/clients/expected-results.ts'
import { serve } from './fixtures.ts'
import { HEY_API_SHOP, TYPED_CONTROL, TYPED_SHOP } from './generated-client-programs.ts'

const TSC = resolve('node_modules/@typescript/native/bin/tsc')

let folder: string
let sandbox: Sandbox
let server: RunningServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'psp-generated-'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  sandbox = await frozenSandbox()
  server = await serve(sandbox)
})
afterAll(async () => {
  await server.close({ grace_ms: 0 })
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

test('a program of a shop compiles except in its marked lines, and runs', async () => {
  const { issues, module } = await build('public', publicDocument(), TYPED_SHOP)
  expect(issues).toEqual(markedLines(TYPED_SHOP))
  const { shop } = (await module()) as { shop(url: string, key: string): Promise<unknown> }
  expect(await shop(server.url, sandbox.defaultShop().api_key ?? '')).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    status: 'pending',
    refused: 'not_refundable',
    cancelled: 'cancelled',
    banks: 218,
    payout: 'pending',
  })
})

test('a program of a test compiles except in its marked lines, and runs', async () => {
  const { issues, module } = await build('control', controlDocument(CONTROL_ROUTES), TYPED_CONTROL)
  expect(issues).toEqual(markedLines(TYPED_CONTROL))
  const { control } = (await module()) as { control(url: string): Promise<unknown> }
  expect(await control(server.url)).toEqual({
    key: expect.stringMatching(/^sk_test_/),
    delay: '2s',
    steps: expect.any(Number),
    items: 1,
    gone: 'not_found',
  })
})

describe('clients of hey-api', () => {
  let program: string
  beforeAll(async () => {
    program = join(folder, 'shop.ts')
    writeFileSync(program, HEY_API_SHOP)
    for (const [name, document] of [
      ['public', publicDocument()],
      ['control', controlDocument(CONTROL_ROUTES)],
    ] as const) {
      await createClient({
        input: JSON.parse(JSON.stringify(document)),
        output: { path: join(folder, name), importFileExtension: '.ts' },
        plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
        logs: { level: 'silent' },
      })
    }
  })

  test('a program of a shop and its test compiles', async () => {
    const issues = await errorsOf([program], {})
    expect(issues).toEqual([])
  })

  test('a program of a shop and its test runs, and reads the event stream', async () => {
    const script = join(folder, 'shop.mjs')
    await bundle({ entryPoints: [program], outfile: script, bundle: true, format: 'esm', platform: 'node' })
    const { run } = (await import(pathToFileURL(script).href)) as {
      run(url: string, key: string, message: string): Promise<unknown>
    }
    expect(await run(server.url, sandbox.defaultShop().api_key ?? '', JSON.stringify(CHANGED_MESSAGE))).toEqual({
      ...EXPECTED_RESULTS,
      streamed: 'streamed',
    })
  })
})

/** Returns the lines in which the compiler must find an error. */
function markedLines(program: string): number[] {
  return program.split('\n').flatMap((line, at) => (line.endsWith('// WRONG') ? [at + 1] : []))
}

async function build(name: string, document: unknown, program: string) {
  const types = astToString(await openapiTS(JSON.parse(JSON.stringify(document)) as OpenAPI3))
  writeFileSync(join(folder, `${name}.d.ts`), types)
  const path = join(folder, `${name}-program.ts`)
  writeFileSync(path, program)
  const found = await errorsOf([path], { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true })
  const issues = found.map((error) => {
    const line = error.match(/^\w+-program\.ts\((\d+),/)?.[1]
    return line === undefined ? error : Number(line)
  })
  return {
    issues: [...new Set(issues)],
    async module(): Promise<unknown> {
      const { code } = await transform(program, { loader: 'ts', format: 'esm', target: 'es2022' })
      const script = join(folder, `${name}-program.mjs`)
      writeFileSync(script, code)
      return await import(pathToFileURL(script).href)
    },
  }
}

/** Returns the errors that the compiler prints for these programs. */
async function errorsOf(files: readonly string[], options: object): Promise<string[]> {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true, types: [] },
    ...options,
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.iterable'] },
  }
  const project = join(folder, 'tsconfig.json')
  writeFileSync(project, JSON.stringify({ compilerOptions, files }))
  const line = [TSC, '-p', project, '--pretty', 'false']
  const { stdout } = await promisify(execFile)(process.execPath, line, { cwd: folder }).catch((failed) => failed)
  return String(stdout)
    .split('\n')
    .filter((text) => /^\S/.test(text))
}
