// A Stryker plugin for scripts/mutation.mjs: leaves out the statements that are not in the part to run.

import { crc32 } from 'node:zlib'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

const [part, parts] = process.env.PSP_MUTATION_PART.split('/').map(Number)

/** Statements without others in them, so that no mutant is in two of them. */
const STATEMENTS = ['ExpressionStatement', 'ReturnStatement', 'ThrowStatement', 'VariableDeclaration']

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'part', {
    shouldIgnore({ node, key }) {
      if (!STATEMENTS.includes(node.type) && key !== 'test') return undefined
      const at = `${node.loc.start.line}:${node.loc.start.column}`
      return crc32(at) % parts === part - 1 ? undefined : `not in part ${part} of ${parts}`
    },
  }),
]
