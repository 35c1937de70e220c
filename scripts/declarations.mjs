// The declarations of the package: what its entries name, directly or not, and nothing else.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const TSC = 'node_modules/@typescript/native/bin/tsc'

/** Writes `dist/types`. @param {readonly string[]} entries sources, from the root of the project */
export function declarations(entries) {
  execFileSync(process.execPath, [TSC, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  const named = new Set()
  for (const entry of entries) follow(resolve('dist/types', entry.replace(/\.tsx?$/, '.d.ts')), named)
  prune('dist/types', named)
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
