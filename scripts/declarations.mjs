// The declarations of the package: what its entries name, directly or not, and nothing else.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const TSC = 'node_modules/@typescript/native/bin/tsc'

/**
 * Writes `dist/types`, and what CommonJS entries name once more into their folder: there TypeScript takes it for CommonJS.
 * @param {readonly string[]} entries sources, from the root of the project
 * @param {{ folder: string, entries: readonly string[] }} commonJs
 */
export function declarations(entries, commonJs) {
  execFileSync(process.execPath, [TSC, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  prune('dist/types', namedBy(entries))
  for (const file of namedBy(commonJs.entries)) {
    cpSync(file, join(commonJs.folder, 'types', relative('dist/types', file)), { recursive: true })
  }
}

function namedBy(entries) {
  const named = new Set()
  for (const entry of entries) follow(resolve('dist/types', entry.replace(/\.tsx?$/, '.d.ts')), named)
  return named
}

function follow(file, named) {
  if (named.has(file) || !existsSync(file)) return
  named.add(file)
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?['"](\.[^'"]+)['"]/g)) {
    follow(resolve(dirname(file), name.replace(/\.[jt]sx?$/, '.d.ts')), named)
  }
}

function prune(folder, named) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) prune(path, named)
    else if (!named.has(resolve(path))) rmSync(path)
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}
