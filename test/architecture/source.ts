import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { type ParseResult, parseSync, visitorKeys } from 'oxc-parser'

export interface Source {
  /** From the root of the project, with slashes: 'src/engine/commit.ts'. */
  readonly path: string
  readonly text: string
}

export interface Import {
  readonly line: number
  /** As written: './commit.ts', 'zod'. */
  readonly specifier: string
  /** Path of the file from the root, if the specifier is relative. */
  readonly target: string | undefined
  /** True if only types are imported, so that nothing is loaded. */
  readonly typeOnly: boolean
}

export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

export function sources(folder: string, extensions: readonly string[] = ['.ts', '.tsx', '.js', '.mjs']): Source[] {
  return (
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && extensions.some((extension) => entry.name.endsWith(extension)))
      .map((entry) => `${entry.parentPath.replaceAll('\\', '/')}/${entry.name}`)
      // Measurements install packages into a hidden folder.
      .filter((path) => !path.slice(folder.length).includes('/.'))
      .sort()
      .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  )
}

/** Every import and re-export: static, dynamic, of types and inside types. */
export function importsOf(source: Source): Import[] {
  const { module } = parsed(source)
  const at = (start: number, specifier: string, typeOnly: boolean) => ({
    line: lineOf(source, { start }),
    specifier,
    target: specifier.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : undefined,
    typeOnly,
  })
  const isOfTypes = (start: number) => /^\w+ type\b/.test(source.text.slice(start, start + 12))
  const imports = module.staticImports.map(({ start, moduleRequest }) =>
    at(start, moduleRequest.value, isOfTypes(start)),
  )
  // An exported name that an import statement imports has the position of that statement.
  const imported = new Set(module.staticImports.map(({ start }) => start))
  const exports = module.staticExports.flatMap(({ start, entries }) => {
    const request = entries.find(({ moduleRequest }) => moduleRequest)?.moduleRequest
    return request && !imported.has(start) ? [at(start, request.value, isOfTypes(start))] : []
  })
  return [...imports, ...exports, ...importCallsOf(source, at)].sort((one, other) => one.line - other.line)
}

/** Imports in expressions and types. Only a file with such an import needs its syntax tree. */
function importCallsOf(
  source: Source,
  at: (start: number, specifier: string, typeOnly: boolean) => Import,
): readonly Import[] {
  if (!/\bimport\s*\(/.test(source.text)) return []
  return [...nodesOf(source)].flatMap(({ node }) => {
    if (node.type !== 'ImportExpression' && node.type !== 'TSImportType') return []
    const specifier = (node['source'] as { readonly value?: unknown } | null | undefined)?.value
    return typeof specifier === 'string' ? [at(node.start, specifier, node.type === 'TSImportType')] : []
  })
}

/** The file that was parsed last. Several functions read one file after each other. */
let last: { readonly source: Source; readonly result: ParseResult } | undefined

/** @throws Error if the file has a syntax error */
export function parsed(source: Source): ParseResult {
  if (last?.source === source) return last.result
  const result = parseSync(source.path, source.text)
  const first = result.errors[0]
  if (first !== undefined) throw new Error(`${source.path} does not parse: ${first.message}`)
  last = { source, result }
  return result
}

export interface PlacedNode {
  readonly node: SyntaxNode
  /** The nearest three parents, nearest first. */
  readonly parents: readonly SyntaxNode[]
}

/** Returns all nodes of a file in the order of its text, each with its nearest parents. */
export function nodesOf(source: Source): readonly PlacedNode[] {
  const found: PlacedNode[] = []
  visit(parsed(source).program as unknown as SyntaxNode, [], found)
  return found
}

function visit(node: SyntaxNode, parents: readonly SyntaxNode[], found: PlacedNode[]): void {
  found.push({ node, parents })
  const keys = visitorKeys[node.type]
  if (keys === undefined || keys.length === 0) return
  const nearest = [node, ...parents.slice(0, 2)]
  for (const key of keys) {
    const child = node[key]
    if (child === null || typeof child !== 'object') continue
    if (!Array.isArray(child)) visit(child as SyntaxNode, nearest, found)
    else for (const each of child) if (each !== null && typeof each === 'object') visit(each, nearest, found)
  }
}

export function lineOf(source: Source, node: Pick<SyntaxNode, 'start'>): number {
  return source.text.slice(0, node.start).split('\n').length
}
