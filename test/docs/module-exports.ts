// Reads the exports of a module from its sources: names, kinds and docstrings.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'

export interface Exported {
  readonly name: string
  readonly kind: 'function' | 'class' | 'value' | 'type'
  /** The signature of a function, or the definition of a short type. */
  readonly written: string
  /** The docstring without its tags, on one line. Empty if there is none. */
  readonly about: string
  /** The texts of `@throws`, one line each. */
  readonly throws: readonly string[]
  /** The fields that the types in `like` do not have. */
  readonly fields: readonly Field[]
  /** Exported interfaces that it extends. */
  readonly like: readonly string[]
}

export interface Field {
  readonly name: string
  readonly type: string
  readonly about: string
}

type Declared =
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.VariableStatement

/** @param entry path of the module from the root of the project */
export function exportsOf(entry: string): Exported[] {
  const names = exportedNames(entry)
  return [...names].map(([name, path]) => {
    const found = declarationOf(path, name)
    if (found === undefined) throw new Error(`${entry} exports ${name}, which has no declaration`)
    return described(name, found, names)
  })
}

/** Each exported name with the file that it comes from. */
function exportedNames(entry: string): Map<string, string> {
  const names = new Map<string, string>()
  for (const statement of parsed(entry).statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      const from = beside(entry, textOf(statement.moduleSpecifier))
      for (const { name } of statement.exportClause.elements) names.set(name.text, from)
    } else if (isExported(statement)) {
      for (const name of namesOf(statement)) names.set(name, entry)
    }
  }
  return names
}

interface Place {
  readonly path: string
  readonly node: Declared
}

/** Finds the declaration of a name through re-exports and imports. */
function declarationOf(path: string, name: string): Place | undefined {
  for (const statement of parsed(path).statements) {
    if (isDeclared(statement) && namesOf(statement).includes(name)) return { path, node: statement }
    const clause = ts.isExportDeclaration(statement)
      ? statement.exportClause
      : ts.isImportDeclaration(statement)
        ? statement.importClause?.namedBindings
        : undefined
    if (clause === undefined || !(ts.isNamedExports(clause) || ts.isNamedImports(clause))) continue
    const from = textOf((statement as ts.ExportDeclaration | ts.ImportDeclaration).moduleSpecifier)
    if (from.startsWith('.') && clause.elements.some((element) => element.name.text === name)) {
      return declarationOf(beside(path, from), name)
    }
  }
  return undefined
}

function described(name: string, { path, node }: Place, known: ReadonlyMap<string, string>): Exported {
  const about = docOf(node)
  const throws = ts
    .getJSDocTags(ts.isVariableStatement(node) ? (node.declarationList.declarations[0] as ts.Node) : node)
    .filter(({ tagName }) => ['throws', 'throw'].includes(tagName.text))
    .map((tag) =>
      oneLine(ts.getTextOfJSDocComment(tag.comment) ?? '', (tag as ts.JSDocThrowsTag).typeExpression?.type.getText()),
    )
  const common = {
    name,
    about,
    throws,
    fields: fieldsOf(path, node, known),
    like: basesOf(node).filter((base) => known.has(base)),
  }
  if (ts.isFunctionDeclaration(node)) return { ...common, kind: 'function', written: signature(node) }
  if (ts.isClassDeclaration(node)) return { ...common, kind: 'class', written: name }
  if (ts.isVariableStatement(node)) return { ...common, kind: 'value', written: name }
  const generic =
    node.typeParameters === undefined ? '' : `<${node.typeParameters.map(({ name: of }) => of.text).join(', ')}>`
  return { ...common, kind: 'type', written: `${name}${generic}` }
}

function signature(node: ts.FunctionDeclaration): string {
  const parameters = node.parameters.map(({ name, questionToken, initializer }) => {
    const text = ts.isIdentifier(name) ? name.text : 'options'
    return questionToken !== undefined || initializer !== undefined ? `${text}?` : text
  })
  return `${node.name?.text}(${parameters.join(', ')})`
}

/** The fields of an interface, with inherited ones, or of an object type. */
function fieldsOf(path: string, node: Declared, known: ReadonlyMap<string, string>): Field[] {
  if (ts.isInterfaceDeclaration(node)) return [...inherited(path, node, known), ...membersOf(node.members)]
  if (ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type)) return membersOf(node.type.members)
  return []
}

function inherited(path: string, node: ts.InterfaceDeclaration, known: ReadonlyMap<string, string>): Field[] {
  return basesOf(node).flatMap((base) => {
    const found = known.has(base) ? undefined : declarationOf(path, base)
    return found === undefined ? [] : fieldsOf(found.path, found.node, known)
  })
}

function basesOf(node: Declared): string[] {
  if (!ts.isInterfaceDeclaration(node)) return []
  return (node.heritageClauses ?? []).flatMap(({ types }) => types.map(({ expression }) => expression.getText()))
}

function membersOf(members: ts.NodeArray<ts.TypeElement>): Field[] {
  return members.flatMap((member) => {
    if (member.name === undefined || ts.isComputedPropertyName(member.name)) return []
    const name = member.name.getText()
    const type = ts.isMethodSignature(member) ? callText(member) : typeText(member as ts.PropertySignature)
    return [{ name: ts.isMethodSignature(member) ? `${name}()` : name, type, about: docOf(member) }]
  })
}

function callText({ parameters, type }: ts.MethodSignature): string {
  return oneLine(`(${parameters.map((one) => one.getText()).join(', ')}) => ${type?.getText() ?? 'void'}`)
}

function typeText({ type }: ts.PropertySignature): string {
  return oneLine(type?.getText() ?? '').replace(/ \| undefined$/, '')
}

function docOf(node: ts.Node): string {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const text = oneLine(ts.getTextOfJSDocComment(docs.at(-1)?.comment) ?? '')
  return text.replaceAll(/\{@link (\w+)\}/g, '`$1`')
}

function oneLine(text: string, before = ''): string {
  return `${before} ${text}`.replace(/\s+/g, ' ').trim()
}

function isDeclared(node: ts.Node): node is Declared {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isVariableStatement(node)
  )
}

function isExported(node: ts.Statement): node is Declared {
  return isDeclared(node) && ts.getCombinedModifierFlags(node as unknown as ts.Declaration) === ts.ModifierFlags.Export
}

function namesOf(node: Declared): string[] {
  if (!ts.isVariableStatement(node)) return node.name === undefined ? [] : [node.name.text]
  return node.declarationList.declarations.map(({ name }) => name.getText())
}

function textOf(specifier: ts.Expression | undefined): string {
  return specifier !== undefined && ts.isStringLiteral(specifier) ? specifier.text : ''
}

function beside(path: string, from: string): string {
  return posix.join(posix.dirname(path), from)
}

const files = new Map<string, ts.SourceFile>()

function parsed(path: string): ts.SourceFile {
  const kept = files.get(path)
  if (kept !== undefined) return kept
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2023, true)
  files.set(path, file)
  return file
}
