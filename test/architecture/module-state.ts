// All sandboxes of a process share the variables of a module, so a module may only keep data that belongs to no sandbox.
import { BROWSER } from './modules.ts'
import { lineOf, nodesOf, type Source, type SyntaxNode } from './source.ts'

/** The exceptions: cached results of pure functions, and data of the process. */
export const MODULE_STATE = [
  { path: 'src/settings.ts', name: 'parsedDefaults', why: 'parsed defaults of the settings, which never change' },
  { path: 'src/domain/time.ts', name: 'seconds', why: 'cached texts of recent seconds' },
  {
    path: 'src/engine/choose-plan.ts',
    name: 'cachedDefault',
    why: 'the parsed plan of the last default_outcome, frozen',
  },
  {
    path: 'src/http/public/operations.ts',
    name: 'BANK_RESPONSES',
    why: 'the JSON of the bank lists, which never change',
  },
  {
    path: 'src/http/shared-router.ts',
    name: 'parsed',
    why: 'the parsed paths of the API, which are the same in each sandbox',
  },
  {
    path: 'src/node/client-errors.ts',
    name: 'rejected',
    why: 'the responses to rejected requests, which it keeps only as long as they exist',
  },
  {
    path: 'src/receiver-client/exchange.ts',
    name: 'sharedHeaders',
    why: 'header names in the spelling that was seen first',
  },
  {
    path: 'src/recordings/personal-fields.ts',
    name: 'known',
    why: 'the kinds of fields by their names, which never change',
  },
  { path: 'src/store/pages/block.ts', name: 'scratch', why: 'a scratch buffer without meaning between two calls' },
  { path: 'src/store/pages/json-field.ts', name: 'fieldPrefixes', why: 'the bytes before a field, by its name' },
  {
    path: 'src/store/folder/lock.ts',
    name: 'openings',
    why: 'distinguishes the openings of one process',
  },
  {
    path: 'src/store/folder/lock-file.ts',
    name: 'temporaryLocks',
    why: 'distinguishes the files of one process',
  },
  { path: 'src/random.ts', name: 'UUID_TEXT', why: 'a scratch buffer without meaning between two calls' },
  { path: 'src/tui/panes/detail.ts', name: 'cache', why: 'lines derived from a detail, cached as long as it exists' },
  {
    path: 'src/view-model/rows/webhook-health.ts',
    name: 'cache',
    why: 'counts derived from a table, cached as long as it exists',
  },
  {
    path: 'src/view-model/rows/visible-rows.ts',
    name: 'searchTexts',
    why: 'text derived from a row, cached as long as it exists',
  },
  {
    path: 'src/view-model/rows/visible-rows.ts',
    name: 'cache',
    why: 'a list derived from a table, cached as long as it exists',
  },
] as const

interface ModuleVariable {
  readonly path: string
  readonly name: string
  readonly line: number
}

/** Every `let` of a module, and every mutable constant. A ReadonlyMap or ReadonlySet is not mutable. */
export function moduleState(files: readonly Source[]): ModuleVariable[] {
  return files
    .filter(({ path }) => !path.startsWith(BROWSER))
    .flatMap((file) =>
      [...nodesOf(file)].flatMap(({ node, parents }) => {
        if (node.type !== 'VariableDeclarator' || !isOfModule(parents)) return []
        const { name } = node['id'] as unknown as { readonly name?: string }
        const isLet = parents[0]?.['kind'] !== 'const'
        if (name === undefined || !(isLet || isMutable(file, node))) return []
        return [{ path: file.path, name, line: lineOf(file, node) }]
      }),
    )
}

function isOfModule([declaration, around, beyond]: readonly SyntaxNode[]): boolean {
  if (declaration?.type !== 'VariableDeclaration') return false
  return around?.type === 'Program' || (around?.type === 'ExportNamedDeclaration' && beyond?.type === 'Program')
}

function isMutable(file: Source, { id, init }: SyntaxNode): boolean {
  const value = init as SyntaxNode | null
  if (value === null) return false
  const declared = text(file, id as SyntaxNode)
  const written = text(file, value)
  if (/^new Weak(Map|Set)\b/.test(written)) return true
  if (/^new (Map|Set)\b/.test(written)) return !/: Readonly(Map|Set)</.test(declared)
  // An empty object is mutable only if its type is a record.
  if (written === '{}') return /: (Record<|\{ \[)/.test(declared)
  if (written === '[]') return !/: readonly /.test(declared)
  return /^(Buffer\.allocUnsafeSlow|new GrowingBuffer)\(/.test(written)
}

function text(file: Source, node: SyntaxNode): string {
  return file.text.slice(node.start, node['end'] as number)
}
