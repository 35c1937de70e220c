// Checks that the document of the operation contains the code of each error.
import { expect } from 'vitest'
import { controlDocument } from '../../src/http/control/document.ts'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import { publicDocument } from '../../src/http/openapi/public-document.ts'

interface Described {
  readonly responses: {
    readonly [status: string]: { readonly content?: { readonly [media: string]: { readonly examples?: object } } }
  }
}

interface Operation {
  readonly name: string
  readonly method: string
  readonly path: RegExp
  readonly codes: readonly string[]
}

const OPERATIONS = [publicDocument(), controlDocument(CONTROL_ROUTES)].flatMap((document) =>
  Object.entries((document as { paths: Record<string, Record<string, Described>> }).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const name = `${method.toUpperCase()} ${path}`
      const pattern = `^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`
      return { name, method: method.toUpperCase(), path: new RegExp(pattern), codes: codesOf(described) }
    }),
  ),
)

/** Undocumented paths and methods belong to no operation. Statuses are not checked, because settings change them. */
export function expectDocumentedCode(method: string, path: string, body: unknown): void {
  const { code, message } = (body as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {}
  // A fault may replace the response of the operation.
  if (typeof code !== 'string' || FAULT.test(String(message))) return
  const plain = path.replace(/\?.*$/, '').replace(/^\/api(?=\/v1\/public\/)/, '')
  const operation = OPERATIONS.find((known) => known.method === method && known.path.test(plain))
  if (operation === undefined) return
  expect(operation.codes, `${operation.name} refused with \`${code}\`, which its \`refuses\` does not name`).toContain(
    code,
  )
}

const FAULT = /^A fault of the sandbox produced this response \(status:\d+\)/

function codesOf({ responses }: Described): string[] {
  return Object.values(responses).flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {}))
}
