// Writes the type declarations that the entries of the package import, directly or indirectly.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const TSC = 'node_modules/@typescript/native/bin/tsc'

/**
 * Writes `dist/types`. The declarations of CommonJS entries are copied into their folder, so that TypeScript treats
 * them as CommonJS.
 * @param {readonly string[]} entries paths of sources, relative to the root of the project
 * @param {{ folder: string, entries: readonly string[] }} commonJs
 */
export function writeDeclarations(entries, commonJs) {
  execFileSync(process.execPath, [TSC, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  deleteOthers('dist/types', importedBy(entries))
  for (const file of importedBy(commonJs.entries)) {
    cpSync(file, join(commonJs.folder, 'types', relative('dist/types', file)), { recursive: true })
  }
}

function importedBy(entries) {
  const files = new Set()
  for (const entry of entries) addWithImports(resolve('dist/types', entry.replace(/\.tsx?$/, '.d.ts')), files)
  return files
}

function addWithImports(file, files) {
  if (files.has(file) || !existsSync(file)) return
  files.add(file)
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?['"](\.[^'"]+)['"]/g)) {
    addWithImports(resolve(dirname(file), name.replace(/\.[jt]sx?$/, '.d.ts')), files)
  }
}

function deleteOthers(folder, files) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) deleteOthers(path, files)
    else if (!files.has(resolve(path))) rmSync(path)
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}
