// The test kits: their size, and the order of their members.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const KITS = new URL('../../kits/', import.meta.url).pathname

interface Kit {
  readonly sources: string
  readonly files: RegExp
  readonly operations: string
  /** Comments; docstrings count as comments. */
  readonly comments: readonly RegExp[]
  /** A public method, with its name. */
  readonly method: RegExp
}

const BLOCKS = /\/\*[\s\S]*?\*\//g
const LINES = /^\s*\/\/.*$/gm

const PACKAGES: Readonly<Record<string, Kit>> = {
  python: {
    sources: 'python/psp_sandbox',
    files: /\.py$/,
    operations: 'operations.py',
    comments: [/^\s*"""[\s\S]*?"""/gm, /^\s*#.*$/gm],
    method: /^ {4}def ([a-z]\w*)/gm,
  },
  go: {
    sources: 'go',
    files: /(?<!_test|types)\.go$/,
    operations: 'operations.go',
    comments: [LINES],
    method: /^func \(\w+ [\w[\]]+\) ([A-Z]\w*)/gm,
  },
  php: {
    sources: 'php/src',
    files: /\.php$/,
    operations: 'operations.php',
    comments: [BLOCKS, LINES, /^<\?php$/gm],
    method: /public function ([a-z]\w*)/g,
  },
  java: {
    sources: 'java/src/main/java/psp/sandbox',
    files: /(?<!Types)\.java$/,
    operations: 'Operations.java',
    comments: [BLOCKS, LINES],
    method: /^ {8}(?:public|default) [\w<>]+ (\w+)\(/gm,
  },
}

function linesOf({ sources, files, comments }: Kit): number {
  const folder = join(KITS, sources)
  const texts = readdirSync(folder)
    .filter((name) => files.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const code = comments.reduce((text, comment) => text.replace(comment, ''), texts.join('\n'))
  return code.split('\n').filter((line) => line.trim() !== '').length
}

function methodsOf({ sources, operations, method }: Kit): string[] {
  const text = readFileSync(join(KITS, sources, operations), 'utf8')
  return [...text.matchAll(method)].map(([, name = '']) => name.charAt(0).toLowerCase() + name.slice(1))
}

describe.each(Object.entries(PACKAGES))('the kit for %s', (_, kit) => {
  test('has 200 to 400 lines of code without blank lines, comments and generated types', () => {
    const lines = linesOf(kit)
    expect(lines).toBeGreaterThanOrEqual(200)
    expect(lines).toBeLessThanOrEqual(400)
  })

  test('has the same operations in the same order as the others', () => {
    expect(methodsOf(kit)).toEqual([
      ...['now', 'advance', 'freeze', 'resume'],
      ...['create', 'get', 'cancel', 'refund', 'pay', 'decline', 'expire'],
      'settle',
      ...['create', 'get'],
      ...['list', 'remove', 'clear'],
      ...['add', 'add'],
    ])
  })
})
