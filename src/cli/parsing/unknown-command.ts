import { closestName } from '../../domain/closest-name.ts'
import type { Group } from '../command.ts'
import { type CliError, usage } from '../failure.ts'
import { commandMeant, insteadOf } from './synonyms.ts'

/** Creates a usage error that suggests the nearest command. @param path full name of the group: `psp payments` */
export function unknownCommand(word: string, path: string, group: Group): CliError {
  const instead = insteadOf(`${path} ${word}`)
  const near =
    commandMeant(path, word) ??
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
