// What keeps a sandbox or its server from opening, as a failure with an exit code.

import { Refusal } from '../domain/errors.ts'
import { PortUnavailable } from '../node/server.ts'
import { SettingError } from '../settings.ts'
import { StoreDamaged, StoreFormat, StoreLocked, StoreUnavailable } from '../store/errors.ts'
import { CliError, usage } from './failure.ts'

/** The same error where it is none of the known ones. */
export function openFailure(error: unknown): unknown {
  if (error instanceof StoreLocked) {
    const where = error.url === undefined ? '' : ` Talk to it with --url ${error.url}.`
    return new CliError(
      'busy',
      error.message,
      `End it with \`kill ${error.pid}\`, or take another --data folder.${where}`,
      'folder_locked',
    )
  }
  if (error instanceof StoreDamaged) {
    return new CliError('failed', error.message, '`psp doctor` explains the ways to go on.', 'folder_damaged')
  }
  if (error instanceof StoreFormat || error instanceof StoreUnavailable) {
    return new CliError('failed', error.message, 'Take another --data folder, or --ephemeral.', 'folder_unusable')
  }
  if (error instanceof PortUnavailable) {
    return new CliError('busy', error.message, 'Choose another with --port, or --port 0 for a free one.', 'port_in_use')
  }
  if (error instanceof SettingError) return usage(error.message, '`psp settings` lists every setting.')
  if (error instanceof Refusal) return usage(error.message, 'Correct the flag, the seed or psp.config.json.')
  return error
}
