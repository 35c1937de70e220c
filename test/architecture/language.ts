import { lineOf, nodesOf, parsed, type Source, type SyntaxNode } from './source.ts'

/** A piece of text that a person reads, with its kind and the line where it starts. */
export interface Text {
  readonly path: string
  readonly line: number
  readonly kind: 'comment' | 'document' | 'message' | 'title'
  readonly text: string
}

interface Rule {
  readonly pattern: RegExp
  readonly advice: string
  /** The kinds of text that the rule covers. Default: all. */
  readonly kinds?: readonly Text['kind'][]
  /** The paths that the rule covers. Default: all. */
  readonly paths?: RegExp
}

/** Nouns of places. After these the relative adverb is not a condition. */
const PLACES =
  'address|byte|column|directory|file|folder|journal|line|offset|page|place|point|position|row|step|table|terminal'

/** Words and forms that a native engineer would not write. `docs/glossary.md` has the terms to use. */
const RULES: readonly Rule[] = [
  { pattern: /(?:^|[.,;:(] ?|— )where\b(?! to\b)/i, advice: 'use "if" or "when" for a condition' },
  {
    pattern: new RegExp(`(?<!\\b(?:${PLACES})s? (?:in |from )?)\\bwhere\\b`, 'i'),
    advice: 'use "if", "when" or "that"; "where" follows the noun of a place',
    kinds: ['comment'],
  },
  { pattern: /\b(?:told|tells?|telling|foretell\w*)\b/i, advice: 'say report, print, return or contain' },
  { pattern: /\b(?:nobody|whoever|somebody|whom|whose sake)\b/i, advice: 'name who acts' },
  { pattern: /\b(?:anew|amid|amidst|meanwhile|wherein|whereby|thereof)\b/i, advice: 'use a plain word' },
  { pattern: /\b(?:heed|mend)(?:s|ed|ing)?\b/i, advice: 'say handle or fix' },
  { pattern: /\bslip(?:s|ped)?\b/i, advice: 'say typo or mistake' },
  { pattern: /\bladder\b/i, advice: 'say retry schedule' },
  { pattern: /\bcourier\b/i, advice: 'say dispatcher' },
  { pattern: /\b(?:rightly|wrongly)\b/i, advice: 'say valid or invalid' },
  { pattern: /\bforesee\w*|\brehears\w*/i, advice: 'say predict or dry run' },
  { pattern: /\bbesides?\b/i, advice: 'say next to, with, or in addition' },
  { pattern: /\b(?:save|but) for\b/i, advice: 'say except' },
  { pattern: /\bso (?:many|long)\b(?! as\b)/i, advice: 'give the number or the limit' },
  { pattern: /\blook(?:s|ed)? over\b/i, advice: 'say ignore or inspect' },
  { pattern: /\bof (?:its|their|his|her|one's|your|my|our) own\b/i, advice: 'say separate, custom, or "its"' },
  { pattern: /\b(?:stands?|stood|standing(?! rule))\b/i, advice: 'say is, waits or stops' },
  { pattern: /\b(?:go|goes|going|went) on\b/i, advice: 'say continue' },
  { pattern: /\bunder way\b/i, advice: 'say in flight or in progress' },
  { pattern: /\blet(?:s|ting)? go\b/i, advice: 'say release' },
  { pattern: /\bonce more\b/i, advice: 'say again' },
  { pattern: /(?<!\bthere )\bis no (?!longer\b|more\b|less\b)/i, advice: 'say is not' },
  { pattern: /\ba fault of this program\b/i, advice: 'say an internal error' },
  { pattern: /\b(?:answer|repl(?:y|ies))(?:s|ed|ing)?\b|\breplied\b/i, advice: 'say response, or respond' },
  { pattern: /\bdisks? (?:refuses?d?|takes?)\b/i, advice: 'say the write fails or succeeds' },
  { pattern: /\b(?:in words|the words of)\b/i, advice: 'say message' },
  { pattern: /, else (?!if\b)/i, advice: 'say "otherwise", or name the order' },
  { pattern: /\bin the (?:same )?way (?:in which|that|the)\b/i, advice: 'say as' },
  { pattern: /\b(?:events?|webhooks?|ids?|secrets?|traffic) of production\b/i, advice: 'put production first' },
  {
    pattern: /\bthe present\b|\bpresent (?:address|list|one|rules|settings?|state|status|time)\b/i,
    advice: 'say current, or now',
  },
  { pattern: /\bplay(?:s|ed|ing)?(?: [\w-]+){0,2} scenarios?\b/i, advice: 'say run' },
  { pattern: /\bstays?(?=[.;])/i, advice: 'say remains, is kept, or is not changed' },
  { pattern: /\bleads? (?:it|them) to\b/i, advice: 'say bring' },
  { pattern: /\bin the form of (?:the|`|a\b)/i, advice: 'say as, or in the format of' },
  { pattern: /\bthe numbers? of (?:its|their) (?:matches|applications|uses)\b/i, advice: 'say how often' },
  { pattern: /\b(?:by|at) one press\b/i, advice: 'say with one click' },
  {
    pattern: /\bremember(?:s|ed|ing)?\b/i,
    advice: 'say store or record',
    kinds: ['comment', 'document', 'message'],
  },
  { pattern: /\b(?:has|have|had) (?:(?:more|less) than |at most )?[\d,.]+ [KMG]i?B\b/i, advice: 'say is, or contains' },
  {
    pattern:
      /^The [\w ]+ (?:is|are) (?:added|created|deleted|exported|imported|placed|restored|revoked|rotated|saved|taken)\.$/,
    advice: 'put a finished action in the past tense',
    kinds: ['message'],
  },
  {
    pattern:
      /(?<=\S )psp (?:audit|banks|clock|compare|config|doctor|events|exec|keys|listen|logs|payments|record|serve|settings|shops|store|tail|trigger|ui|verify|wait|webhooks)\b|(?<=\()psp /,
    advice: 'put the command in backticks',
    kinds: ['message'],
    paths: /^src\/(?!cli\/|dashboard\/|tui\/|testing\/|http\/pages\/reproductions\.ts)/,
  },
  {
    pattern: /^(?:its|your|from|until|to this|whs_…|thm_…)/i,
    advice: 'begin with the noun or the verb of the option',
    paths: /^docs\/reference\/(?:commands|configuration)\.md$/,
  },
  {
    pattern: /^(?:What|Of|Those|That of|Where|As it|Whose|But for|Beside|Nobody)\b/,
    advice: 'begin with the subject',
    kinds: ['comment'],
  },
  { pattern: /^(?:of|or|so|and|without|that|those|what|where)\b/i, advice: 'begin with the subject', kinds: ['title'] },
  { pattern: /^(?:\S+\s+){0,2}\S+$/, advice: 'write a full statement', kinds: ['title'] },
]

const LONGEST_SENTENCE = 30

/** Returns a line for each issue: `path:line kind "words": advice`. */
export function languageIssues(texts: readonly Text[]): string[] {
  return texts.flatMap((text) => [...wordIssues(text), ...lengthIssues(text)])
}

function wordIssues({ path, line, kind, text }: Text): string[] {
  return RULES.filter((rule) => covers(rule, kind, path)).flatMap(({ pattern, advice }) => {
    const match = pattern.exec(text)
    return match === null ? [] : [`${path}:${line} ${kind} "${excerpt(text, match.index)}": ${advice}`]
  })
}

function covers({ kinds, paths }: Rule, kind: Text['kind'], path: string): boolean {
  return (kinds?.includes(kind) ?? true) && (paths?.test(path) ?? true)
}

function lengthIssues({ path, line, kind, text }: Text): string[] {
  if (kind === 'message' || kind === 'title') return []
  return text
    .split(/(?<=[.!?:;][*_)"]*)\s+/)
    .filter((sentence) => sentence.split(/\s+/).length > LONGEST_SENTENCE)
    .map((sentence) => `${path}:${line} ${kind} "${excerpt(sentence, 0)}": over ${LONGEST_SENTENCE} words`)
}

const excerpt = (text: string, index: number): string => text.slice(Math.max(0, index - 20), index + 40).trim()

/** The comments of a script. Lines that follow each other are one comment. */
export function commentsOf(source: Source): Text[] {
  const found: Text[] = []
  let end = -1
  for (const comment of parsed(source).comments) {
    const text = plain(comment.value.replace(/^\s*\*+ ?/gm, ''))
    const line = source.text.slice(0, comment.start).split('\n').length
    const last = found.at(-1)
    const between = source.text.slice(end, comment.start)
    const joins = last !== undefined && comment.type === 'Line' && /^\n[ \t]*$/.test(between)
    if (joins) found[found.length - 1] = { ...last, text: `${last.text} ${text}` }
    else found.push({ path: source.path, line, kind: 'comment', text })
    end = comment.end
  }
  return found.filter(({ text }) => !/^(?:biome-ignore|@ts-|Spec [\d.]+$)/.test(text))
}

/** The comments and docstrings of a test kit: lines that begin as one, in Python, Go, PHP and Java. */
export function kitCommentsOf({ path, text }: Source): Text[] {
  const comment = path.endsWith('.py') ? /^\s*(?:#|""")\s*(.*?)(?:""")?$/gm : /^\s*(?:\/\/|\/?\*+)\s*(.*?)(?:\*\/)?$/gm
  return [...text.matchAll(comment)].map((match) => ({
    path,
    line: text.slice(0, match.index).split('\n').length,
    kind: 'comment',
    text: plain((match[1] ?? '').replace(/\$\w+|@param \w+/g, '`code`')),
  }))
}

/** String literals, templates and JSX texts of three words and more, which people may read. */
export function messagesOf(source: Source): Text[] {
  const found: Text[] = []
  for (const { node, parents } of nodesOf(source)) {
    const text = wordsOf(node)
    if (text === undefined || !/^[\p{L}(«"“-].* .* /u.test(text) || isImport(parents[0])) continue
    found.push({ path: source.path, line: lineOf(source, node), kind: 'message', text: plain(text) })
  }
  return found
}

/** The titles of the tests in a file. */
export function titlesOf(source: Source): Text[] {
  const found: Text[] = []
  for (const { node } of nodesOf(source)) {
    if (node.type !== 'CallExpression' || !isTest(node['callee'] as SyntaxNode)) continue
    const text = wordsOf((node['arguments'] as readonly SyntaxNode[])[0])
    if (text !== undefined) found.push({ path: source.path, line: lineOf(source, node), kind: 'title', text })
  }
  return found
}

/** The paragraphs, list items and table cells of a Markdown document, without its code. */
export function proseOf({ path, text }: Source): Text[] {
  const found: Text[] = []
  let open = false
  let paragraph: { line: number; lines: string[] } | undefined
  const close = (): void => {
    if (paragraph !== undefined)
      found.push({ path, line: paragraph.line, kind: 'document', text: plain(paragraph.lines.join(' ')) })
    paragraph = undefined
  }
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line.startsWith('```')) open = !open
    if (open || line === '' || line.startsWith('```') || line.startsWith('<')) close()
    else if (line.startsWith('|')) {
      close()
      for (const cell of line.split('|')) found.push({ path, line: index + 1, kind: 'document', text: plain(cell) })
    } else {
      if (/^(?:[-*#>]|\d+\.)/.test(line)) close()
      paragraph ??= { line: index + 1, lines: [] }
      paragraph.lines.push(line.replace(/^(?:[-*#>]+|\d+\.)\s*/, ''))
      if (line.startsWith('#')) close()
    }
  }
  close()
  return found
}

/** The text without code, addresses of links and repeated spaces. */
const plain = (text: string): string =>
  text
    .replace(/`[^`]*`/g, '`code`')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/\{@link ([^}]*)\}/g, '`code`')
    .replace(/\s+/g, ' ')
    .trim()

function wordsOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node?.type === 'JSXText') return (node['value'] as string).trim()
  if (node?.type !== 'TemplateLiteral') return undefined
  return (node['quasis'] as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('`code`')
}

function isImport(node: SyntaxNode | undefined): boolean {
  return node !== undefined && /^(?:Import|Export)/.test(node.type)
}

/** `test(…)`, `it(…)`, `test.skipIf(x)(…)`, `test.each(rows)(…)`. */
function isTest(callee: SyntaxNode): boolean {
  if (callee.type === 'Identifier') return callee['name'] === 'test' || callee['name'] === 'it'
  if (callee.type === 'MemberExpression') return isTest(callee['object'] as SyntaxNode)
  if (callee.type === 'CallExpression') return isTest(callee['callee'] as SyntaxNode)
  return false
}
