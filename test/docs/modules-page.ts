import { code, page, table } from './markdown.ts'
import { type Exported, exportsOf } from './module-exports.ts'

export interface Module {
  readonly name: string
  readonly entry: string
  readonly about: string
}

export const MODULES: readonly Module[] = [
  {
    name: 'psp-sandbox/webhooks',
    entry: 'src/webhooks/index.ts',
    about:
      'For the handler that receives webhooks. This module loads no part of the sandbox. [Verifying webhook signatures](../guides/verifying-signatures.md) shows how to use it, and how to verify without a package.',
  },
  {
    name: 'psp-sandbox/testing',
    entry: 'src/testing/index.ts',
    about: 'The provider as a test double. [Testing against the sandbox](../guides/testing.md) begins with it.',
  },
  {
    name: 'psp-sandbox/vitest',
    entry: 'src/vitest/index.ts',
    about: 'A shop for each test of [Vitest](../guides/testing.md#a-shop-for-each-test), which is an optional peer.',
  },
  {
    name: 'psp-sandbox/msw',
    entry: 'src/msw/index.ts',
    about: 'The provider behind [Mock Service Worker](../guides/msw.md), which is an optional peer.',
  },
  {
    name: 'psp-sandbox',
    entry: 'src/index.ts',
    about:
      'The parts that the other modules are made of: a sandbox as a function from request to response, an HTTP server for it, and a client that works with the function or over HTTP. In a test suite, use `psp-sandbox/testing`.',
  },
]

export function modulesPage(): string {
  return page("The package's modules", [
    'Amounts are integers in minor units, and times are RFC 3339 in UTC. A duration is a string such as `20m`, or a number of ms. `require` returns the same exports as `import`. The description of a function names its errors. If the function returns a promise, the promise is rejected with the error.',
    ...MODULES.flatMap(modulePart),
  ])
}

function modulePart({ name, entry, about }: Module): string[] {
  const all = exportsOf(entry)
  const values = all.filter(({ kind }) => kind !== 'type')
  const types = all.filter(({ kind }) => kind === 'type')
  return [
    `## ${name}`,
    about,
    table(['export', 'what it is'], values.map(row)),
    ...(types.length === 0 ? [] : [table(['type', 'what it is'], types.map(row))]),
    ...all.filter(({ fields }) => fields.some((field) => field.about !== '')).flatMap(fieldsPart),
  ]
}

function row({ written, about, throws }: Exported): string[] {
  return [
    code(written),
    [about, ...throws.map((what) => `Throws ${what.replace(/\.?$/, '.')}`)].filter(Boolean).join(' '),
  ]
}

function fieldsPart({ name, fields, like }: Exported): string[] {
  const rows = fields.map((field) => [code(field.name), typeCode(field.type), field.about])
  const more = like.map((base) => `It has the fields of ${code(base)}, and these:`)
  return [`### ${name}`, ...more, table(['field', 'type', 'what it is'], rows)]
}

/** A type may contain a template literal with backticks. */
function typeCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : code(text)
}
