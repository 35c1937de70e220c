// What a module remembers by itself is shared by all sandboxes of a process: only what no sandbox owns may be there.
import { BROWSER } from './modules.ts'
import { lineOf, nodesOf, type Source, type SyntaxNode } from './source.ts'

/** What may stay: answers of pure functions, kept, and what is of the process. */
export const MODULE_STATE = [
  { path: 'src/settings.ts', name: 'defaults', why: 'parsed defaults of the settings, which never change' },
  { path: 'src/domain/time.ts', name: 'seconds', why: 'texts of the last seconds that were written, by their number' },
  { path: 'src/domain/hmac.ts', name: 'keys', why: 'prepared keys of the last 256 secrets, by the secret' },
  { path: 'src/engine/plan.ts', name: 'last', why: 'the plan that the last text of default_outcome means, frozen' },
  { path: 'src/http/public/banks.ts', name: 'TEXTS', why: 'the JSON of a directory, which never changes' },
  {
    path: 'src/receiver-client/exchange.ts',
    name: 'seen',
    why: 'names of headers in the spelling that was seen first',
  },
  { path: 'src/store/pages/block.ts', name: 'scratch', why: 'room to write in, of no meaning between two calls' },
  { path: 'src/store/pages/row-text.ts', name: 'marks', why: 'the bytes that stand before a field, by its name' },
  {
    path: 'src/store/folder/lock.ts',
    name: 'openings',
    why: 'tells apart the openings of one process, so it is of the process',
  },
  {
    path: 'src/store/folder/lock-file.ts',
    name: 'attempts',
    why: 'tells apart the files of one process, so it is of the process',
  },
  { path: 'src/time/random.ts', name: 'UUID_TEXT', why: 'room to write in, of no meaning between two calls' },
  { path: 'src/tui/panes/detail.ts', name: 'cache', why: 'lines derived from a detail, kept while the detail is' },
  {
    path: 'src/tui/panes/status-counts.ts',
    name: 'cache',
    why: 'counts derived from a table, kept while the table is',
  },
  { path: 'src/tui/state/search-text.ts', name: 'cache', why: 'text derived from a row, kept while the row is' },
  { path: 'src/tui/state/visible-rows.ts', name: 'cache', why: 'a list derived from a table, kept while the table is' },
] as const

interface Remembered {
  readonly path: string
  readonly name: string
  readonly line: number
}

/** Every `let` of a module, and every constant of one that can be filled. A table is a ReadonlyMap or ReadonlySet. */
export function moduleState(files: readonly Source[]): Remembered[] {
  return files
    .filter(({ path }) => !path.startsWith(BROWSER))
    .flatMap((file) =>
      [...nodesOf(file)].flatMap(({ node, parents }) => {
        if (node.type !== 'VariableDeclarator' || !isOfModule(parents)) return []
        const { name } = node['id'] as unknown as { readonly name?: string }
        const isLet = parents[0]?.['kind'] !== 'const'
        if (name === undefined || !(isLet || isFillable(file, node))) return []
        return [{ path: file.path, name, line: lineOf(file, node) }]
      }),
    )
}

function isOfModule([declaration, around, beyond]: readonly SyntaxNode[]): boolean {
  if (declaration?.type !== 'VariableDeclaration') return false
  return around?.type === 'Program' || (around?.type === 'ExportNamedDeclaration' && beyond?.type === 'Program')
}

function isFillable(file: Source, { id, init }: SyntaxNode): boolean {
  const value = init as SyntaxNode | null
  if (value === null) return false
  const declared = text(file, id as SyntaxNode)
  const written = text(file, value)
  if (/^new Weak(Map|Set)\b/.test(written)) return true
  if (/^new (Map|Set)\b/.test(written)) return !/: Readonly(Map|Set)</.test(declared)
  // An object without fields is nothing, but where its type is a record.
  if (written === '{}') return /: (Record<|\{ \[)/.test(declared)
  if (written === '[]') return !/: readonly /.test(declared)
  return written.startsWith('Buffer.allocUnsafeSlow(')
}

function text(file: Source, node: SyntaxNode): string {
  return file.text.slice(node.start, node['end'] as number)
}
