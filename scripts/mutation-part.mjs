// A Stryker plugin for scripts/mutation.mjs: leaves out the code that is not in the part or the sample to run, and
// prints each mutant that no test notices.

import { crc32 } from 'node:zlib'
import { declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

const fraction = (name) => (process.env[name] ?? '1/1').split('/').map(Number)
const [part, parts] = fraction('PSP_MUTATION_PART')
const [sample, samples] = fraction('PSP_MUTATION_SAMPLE')

/** Statements that contain no other statements of these kinds, so that no mutant is in two of them. */
const STATEMENTS = ['ExpressionStatement', 'ReturnStatement', 'ThrowStatement', 'VariableDeclaration']
const METHODS = ['ClassMethod', 'ClassPrivateMethod']

/** Whether a node is a declaration of a module, or a method of a class. */
const isDeclaration = ({ node, parent }) =>
  METHODS.includes(node.type) ||
  (parent?.type === 'Program' && !/^Class/.test((node.declaration ?? node).type) && node.type !== 'ImportDeclaration')

/** Prints survivors at once, because a run may be stopped before its end. */
class Survivors {
  onMutantTested({ status, fileName, location, mutatorName, replacement }) {
    if (status !== 'Survived' && status !== 'NoCoverage') return
    const file = fileName.replace(`${process.cwd()}/`, '')
    const to = replacement.replace(/\s+/g, ' ').slice(0, 100)
    process.stdout.write(`${status} ${file}:${location.start.line}:${location.start.column} ${mutatorName} -> ${to}\n`)
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.Reporter, 'survivors', Survivors),
  declareValuePlugin(PluginKind.Ignore, 'part', {
    shouldIgnore(path) {
      const { node, key } = path
      const at = `${node.loc.start.line}:${node.loc.start.column}`
      const lines = `${at}:${node.loc.end.line}`
      if (isDeclaration(path) && crc32(lines) % samples !== sample - 1) return `not in sample ${sample} of ${samples}`
      if (!STATEMENTS.includes(node.type) && key !== 'test') return undefined
      return crc32(at) % parts === part - 1 ? undefined : `not in part ${part} of ${parts}`
    },
  }),
]
