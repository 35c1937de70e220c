import { BROWSER, CLOCK_EXCEPTIONS, CLOCK_OWNERS } from './modules.ts'
import { lineOf, nodesOf, type Source, type SyntaxNode } from './source.ts'

const GLOBALS = ['setTimeout', 'setInterval', 'setImmediate', 'performance']

const MEMBERS = [
  'Date.now',
  'Math.random',
  'process.hrtime',
  'process.uptime',
  'AbortSignal.timeout',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  ...GLOBALS.map((name) => `globalThis.${name}`),
]

const MODULES = ['timers', 'timers/promises', 'perf_hooks']

const CRYPTO = ['randomUUID', 'randomBytes', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues']

/** One line for each place outside the system clock that reads a clock, sets a timer or generates randomness. */
export function clockFaults(files: readonly Source[]): string[] {
  return files
    .filter(({ path }) => !CLOCK_OWNERS.some((owner) => path.startsWith(owner)) && !path.startsWith(BROWSER))
    .flatMap((file) =>
      [...nodesOf(file)].flatMap(({ node, parents }) => {
        const name = forbidden(node, parents)
        if (name === undefined || isException(file.path, name)) return []
        return [`${file.path}:${lineOf(file, node)} uses ${name}: take the time, the timer or the id as an argument`]
      }),
    )
}

function isException(path: string, name: string): boolean {
  return CLOCK_EXCEPTIONS.some((each) => path.startsWith(each.folder) && each.name === name)
}

function forbidden(node: SyntaxNode, parents: readonly SyntaxNode[]): string | undefined {
  switch (node.type) {
    case 'MemberExpression':
      return memberName(node)
    case 'NewExpression':
      return isDate(node) && (node['arguments'] as readonly unknown[]).length === 0 ? 'new Date()' : undefined
    case 'CallExpression':
      return isDate(node) ? 'Date()' : undefined
    case 'ImportDeclaration':
      return importName(node)
    case 'Identifier':
      return GLOBALS.includes(node['name'] as string) && isReference(node, parents[0]) ? `${node['name']}` : undefined
    default:
      return undefined
  }
}

function memberName(node: SyntaxNode): string | undefined {
  const object = node['object'] as SyntaxNode
  const property = node['property'] as SyntaxNode
  const key = node['computed'] === true ? property['value'] : property['name']
  // Whatever name the module goes by: `nodeCrypto.randomBytes`.
  if (object.type === 'Identifier' && CRYPTO.includes(String(key))) return `${object['name']}.${key}`
  const name = `${object['name']}.${key}`
  return MEMBERS.includes(name) ? name : undefined
}

function isDate(node: SyntaxNode): boolean {
  const callee = node['callee'] as SyntaxNode
  return callee.type === 'Identifier' && callee['name'] === 'Date'
}

function importName(node: SyntaxNode): string | undefined {
  const module = String((node['source'] as SyntaxNode)['value']).replace(/^node:/, '')
  if (MODULES.includes(module)) return `node:${module}`
  if (module !== 'crypto') return undefined
  const names = (node['specifiers'] as readonly SyntaxNode[]).map(
    (each) => (each['imported'] as SyntaxNode | undefined)?.['name'],
  )
  return names.find((name): name is string => CRYPTO.includes(String(name)))
}

/** Whether the name refers to the global, and not to a member or key of the same name (`clock.setTimeout`). */
function isReference(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (parent === undefined) return true
  if (parent.type === 'ImportSpecifier') return false
  const isKey = parent['key'] === node && parent['computed'] !== true && parent['shorthand'] !== true
  const isMember = parent.type === 'MemberExpression' && parent['property'] === node && parent['computed'] !== true
  return !isKey && !isMember
}
