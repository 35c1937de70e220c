import { closestName } from '../../domain/closest-name.ts'
import type { Group } from '../command.ts'
import { type CliError, usage } from '../failure.ts'
import { alternativeTo, commandAlias } from './aliases.ts'

/** Creates a usage error that suggests the nearest command. @param path full name of the group: `psp payments` */
export function unknownCommand(word: string, path: string, group: Group): CliError {
  const instead = alternativeTo(`${path} ${word}`)
  const near =
    commandAlias(path, word) ??
    closestName(
      word,
      group.commands.map(({ name }) => name),
    )
  const where = path === 'psp' ? '' : ` of ${path}`
  return usage(
    `Unknown command '${word}'${where}.`,
    instead ?? (near === undefined ? `\`${path} --help\` lists its commands.` : `Did you mean ${near}?`),
  )
}
