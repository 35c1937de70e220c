// The examples for CI and Kubernetes match the schemas of their systems.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { needs, TOOLS } from './clients/tools.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url))
const CHECK_JSON_SCHEMA = join(TOOLS, 'schemas/bin/check-jsonschema')
const KUBERNETES_VALIDATE = join(TOOLS, 'schemas/bin/kubernetes-validate')
const FILES = readdirSync(join(EXAMPLES, 'ci'))

const SCHEMAS = [
  ['vendor.github-workflows', /^github-.*\.yml$/],
  ['vendor.gitlab-ci', /^gitlab-.*\.yml$/],
  ['vendor.compose-spec', /^compose\.yaml$/],
] as const

const read = (path: string) => readFileSync(join(EXAMPLES, path), 'utf8')
const run = (command: string, args: readonly string[]) => execa(command, args, { reject: false, all: true })

describe.skipIf(!existsSync(CHECK_JSON_SCHEMA))(`the schemas of CI systems (${needs('check-jsonschema')})`, () => {
  test.each(SCHEMAS)('the examples match the schema %s', async (schema, name) => {
    const files = FILES.filter((file) => name.test(file)).map((file) => join(EXAMPLES, 'ci', file))
    expect(files.length).toBeGreaterThan(0)
    const { exitCode, all } = await run(CHECK_JSON_SCHEMA, ['--builtin-schema', schema, ...files])
    expect(exitCode, all).toBe(0)
  })

  test('the check finds a wrong field', async () => {
    const file = join(EXAMPLES, 'ci/compose.yaml')
    expect((await run(CHECK_JSON_SCHEMA, ['--builtin-schema', 'vendor.gitlab-ci', file])).exitCode).not.toBe(0)
  })
})

describe.skipIf(!existsSync(KUBERNETES_VALIDATE))(`the schemas of Kubernetes (${needs('kubernetes-validate')})`, () => {
  test('the objects of the examples match the schemas of Kubernetes', async () => {
    const files = ['ci/kubernetes.yaml', 'kubernetes/psp.yaml', 'kubernetes/proxy.yaml']
    const paths = files.map((file) => join(EXAMPLES, file))
    const { exitCode, all } = await run(KUBERNETES_VALIDATE, ['--strict', ...paths])
    expect(exitCode, all).toBe(0)
    expect(all?.match(/ passed for resource /g)).toHaveLength(6)
  })
})

test('the proxy in Kubernetes has the tested configuration, with the names of its servers', () => {
  const tested = read('scaling/nginx.conf')
    .replaceAll('127.0.0.1:7770', 'psp-0.psp:7770')
    .replaceAll('127.0.0.1:7771', 'psp-1.psp:7770')
    .replace('listen 127.0.0.1:7700', 'listen 7700')
  expect(read('kubernetes/nginx.conf')).toBe(tested)
})

test('the pipelines name the credentials that psp reads', () => {
  for (const file of ['ci/github-actions-service.yml', 'ci/gitlab-services.yml']) {
    for (const name of ['PSP_API_KEY', 'PSP_SIGNING_SECRET', 'PSP_WEBHOOK_SECRET', 'PSP_CONTROL_TOKEN', 'PSP_URL']) {
      expect(read(file)).toContain(name)
    }
  }
})
