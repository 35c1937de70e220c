import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync, visitorKeys } from 'oxc-parser'

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
  const found: Import[] = []
  for (const { node } of nodesOf(source)) {
    if (!IMPORTING.has(node.type)) continue
    const specifier = (node['source'] as { readonly value?: unknown } | null | undefined)?.value
    if (typeof specifier !== 'string') continue
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : undefined
    const typeOnly = node['importKind'] === 'type' || node['exportKind'] === 'type' || node.type === 'TSImportType'
    found.push({ line: lineOf(source, node), specifier, target, typeOnly })
  }
  return found
}

const IMPORTING: ReadonlySet<string> = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

/** All nodes of a file, each with its parents, nearest first. */
export function* nodesOf(source: Source): Generator<{ node: SyntaxNode; parents: readonly SyntaxNode[] }> {
  const { program, errors } = parseSync(source.path, source.text)
  const first = errors[0]
  if (first !== undefined) throw new Error(`${source.path} does not parse: ${first.message}`)
  yield* walk(program as unknown as SyntaxNode, [])
}

function* walk(
  node: SyntaxNode,
  parents: readonly SyntaxNode[],
): Generator<{ node: SyntaxNode; parents: readonly SyntaxNode[] }> {
  yield { node, parents }
  const chain = [node, ...parents]
  for (const key of visitorKeys[node.type] ?? []) {
    const child = node[key]
    for (const each of Array.isArray(child) ? child : [child]) {
      if (each !== null && typeof each === 'object') yield* walk(each as SyntaxNode, chain)
    }
  }
}

export function lineOf(source: Source, node: SyntaxNode): number {
  return source.text.slice(0, node.start).split('\n').length
}
