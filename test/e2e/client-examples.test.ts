// The commands of examples/clients generate a client, and a program on it makes a payment.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QUICK_JAVA } from './clients/quick-java.ts'
import {
  hasGo,
  hasJava,
  hasPython,
  JAVA_LIBRARIES,
  needs,
  OAPI_CODEGEN,
  OPENAPI_GENERATOR,
  PYTHON,
} from './clients/tools.ts'
import { createWorkspace } from './helpers.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples/clients', import.meta.url))
const README = readFileSync(join(EXAMPLES, 'README.md'), 'utf8')

const LANGUAGES = [
  { title: 'Python', folder: 'python', isInstalled: hasPython, tool: 'openapi-python-client' },
  { title: 'Go', folder: 'go', isInstalled: hasGo, tool: 'oapi-codegen' },
  { title: 'Java', folder: 'java', isInstalled: hasJava, tool: 'openapi-generator' },
  { title: 'TypeScript', folder: 'typescript', isInstalled: true, tool: 'npm ci' },
] as const

let workspace: ReturnType<typeof createWorkspace>
let folder: string
let ready: { url: string; api_key: string }

beforeAll(async () => {
  workspace = createWorkspace()
  folder = mkdtempSync(join(tmpdir(), 'psp-client-examples-'))
  await workspace.psp('openapi', '--out', join(folder, 'public.json'))
  ready = (await workspace.serve('--ephemeral', '--clock', 'frozen')).ready
})
afterAll(async () => {
  await workspace.remove()
  rmSync(folder, { recursive: true })
})

/** Returns the commands of a language in the README. */
function commandsOf(title: string): string {
  return new RegExp(`## ${title}\\n\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(README)?.[1] ?? ''
}

describe.each(LANGUAGES)('the example in $title', ({ title, folder: name, isInstalled, tool }) => {
  test.skipIf(!isInstalled)(`the generated client compiles and makes a payment (${needs(tool)})`, async () => {
    const cwd = join(folder, name)
    cpSync(join(EXAMPLES, name), cwd, { recursive: true })
    cpSync(join(folder, 'public.json'), join(cwd, 'public.json'))
    if (name === 'java') {
      symlinkSync(OPENAPI_GENERATOR, join(cwd, 'openapi-generator-cli.jar'))
      symlinkSync(JAVA_LIBRARIES, join(cwd, 'lib'))
    }
    if (name === 'go') await execa('mkdir', ['public'], { cwd })
    if (name === 'typescript') symlinkSync(join(EXAMPLES, '../../node_modules'), join(cwd, 'node_modules'))
    const PATH = [dirname(PYTHON), dirname(OAPI_CODEGEN), process.env['PATH']].join(delimiter)
    const { all, stdout, exitCode } = await execa('bash', ['--norc', '-e', '-c', commandsOf(title)], {
      cwd,
      env: { PATH, PSP_URL: ready.url, PSP_API_KEY: ready.api_key, JAVA_TOOL_OPTIONS: QUICK_JAVA.join(' ') },
      reject: false,
      all: true,
      timeout: 170_000,
    })
    expect(exitCode, all).toBe(0)
    const id = stdout.trim().split('\n').at(-1)
    const response = await fetch(`${ready.url}/v1/public/payments/${id}`, {
      headers: { authorization: `Bearer ${ready.api_key}` },
    })
    expect(await response.json(), all).toMatchObject({ amount: 150_000 })
  })
})
