// Commander's complaints in this program's two lines.
import type { CommanderError } from 'commander'
import { type CliError, usage } from './failure.ts'

export function usageOf(error: CommanderError): CliError {
  const text = error.message.replace(/^error: /, '')
  const [, message = text, suggestion] = /^(.*?)\s*\((Did you mean .*\?)\)$/s.exec(text) ?? []
  const sentence = message.charAt(0).toUpperCase() + message.slice(1)
  const ended = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
  return usage(ended, suggestion ?? '`psp --help` lists the commands, `psp <command> --help` their options.')
}
