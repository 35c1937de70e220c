// Formats JSON by its tokens, so that no value changes: `1.0`, a long number and a repeated key stay as they were sent.

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g

export interface JsonLine {
  readonly depth: number
  readonly text: string
  /** The number of the object or list that begins in this line. Empty objects and lists have none. */
  readonly node: number | undefined
  readonly isFolded: boolean
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Indents an object or a list. Returns any other text unchanged. */
export function formatJson(text: string): string {
  const lines = outline(
    text,
    () => false,
    (token) => token,
  )
  return lines?.map(({ depth, text: line }) => '  '.repeat(depth) + line).join('\n') ?? text
}

/** Removes white space between the tokens. */
export function compactJson(text: string): string {
  return (text.match(TOKEN) ?? []).join('')
}

/**
 * Returns the lines of an object or a list, with readable strings, or `undefined` for any other text.
 * @param isFolded decides which objects and lists are shown in one line
 */
export function outlineJson(
  text: string,
  isFolded: (node: number, depth: number) => boolean,
): readonly JsonLine[] | undefined {
  return outline(text, isFolded, readable)
}

function outline(
  text: string,
  isFolded: (node: number, depth: number) => boolean,
  show: (token: string) => string,
): readonly JsonLine[] | undefined {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return undefined
  const tokens = text.match(TOKEN) ?? []
  const lines: JsonLine[] = []
  let [line, depth, node] = ['', 0, 0]
  let folded: number | undefined

  function endLine(opened = folded): void {
    lines.push({ depth, text: line, node: opened, isFolded: folded !== undefined })
    line = ''
    folded = undefined
  }

  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    if (isEmptyContainer(tokens, at)) line += token + tokens[++at]
    else if (isOpening(token)) {
      const opened = node++
      if (isFolded(opened, depth)) {
        const end = endOf(tokens, at)
        const inner = tokens.slice(at + 1, end)
        line += token === '[' ? `[ … ${elementsOf(inner).length} ]` : `{ ${elementsOf(inner).map(keyOf).join(', ')} }`
        folded = opened
        node += inner.filter((each, index) => isOpening(each) && !isEmptyContainer(inner, index)).length
        at = end
      } else {
        line += token
        endLine(opened)
        depth++
      }
    } else if (isClosing(token)) {
      endLine()
      depth--
      line = token
    } else if (token === ',') {
      line += token
      endLine()
    } else line += token === ':' ? ': ' : show(token)
  }
  endLine()
  return lines
}

const isOpening = (token: string | undefined) => token === '{' || token === '['
const isClosing = (token: string | undefined) => token === '}' || token === ']'

function isEmptyContainer(tokens: readonly string[], at: number): boolean {
  return isOpening(tokens[at]) && isClosing(tokens[at + 1])
}

/** Returns the index of the token that closes the container at `start`. */
function endOf(tokens: readonly string[], start: number): number {
  let open = 0
  for (let at = start; at < tokens.length; at++) {
    if (isOpening(tokens[at])) open++
    else if (isClosing(tokens[at]) && --open === 0) return at
  }
  return tokens.length
}

/** Returns the first token of each element between the brackets. */
function elementsOf(inner: readonly string[]): readonly string[] {
  let open = 0
  return inner.filter((token, at) => {
    const isFirst = open === 0 && (at === 0 || inner[at - 1] === ',')
    if (isOpening(token)) open++
    else if (isClosing(token)) open--
    return isFirst
  })
}

function keyOf(token: string): string {
  return JSON.parse(token) as string
}

/** Replaces the escapes in a string with their characters, except escapes that JSON requires. */
function readable(token: string): string {
  return token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token
}
