// What keeps a sandbox or its server from opening, as a failure with an exit code.

import { Refusal } from '../../domain/errors.ts'
import { PortUnavailable } from '../../node/server.ts'
import { WeakControlToken } from '../../sandbox.ts'
import { SettingError } from '../../settings.ts'
import { StoreDamaged, StoreFormat, StoreLocked, StoreUnavailable } from '../../store/errors.ts'
import { CliError, usage } from '../failure.ts'

/** The host, and not the port, is what cannot be had. */
const NO_ADDRESS = ['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL']

/** The same error where it is none of the known ones. */
export function openFailure(error: unknown): unknown {
  if (error instanceof StoreLocked) {
    const hint =
      error.beat !== undefined
        ? 'Stop it there, or talk to it from here where its port is published (--url); or take another --data folder.'
        : error.url === undefined
          ? 'A command holds it for a moment, or a server is about to start: try again.'
          : `Talk to it with --url ${error.url}, end it with \`kill ${error.pid}\`, or take another --data folder.`
    return new CliError('busy', error.message, hint, 'folder_locked')
  }
  if (error instanceof StoreDamaged) {
    const what = error.message.slice(0, -error.remedy.length).trimEnd()
    return new CliError('failed', what, error.remedy, 'folder_damaged')
  }
  if (error instanceof StoreFormat || error instanceof StoreUnavailable) {
    return new CliError('failed', error.message, 'Take another --data folder, or --ephemeral.', 'folder_unusable')
  }
  if (error instanceof PortUnavailable) {
    if (NO_ADDRESS.includes(error.code)) return usage(error.message, 'Name an address of this machine with --host.')
    return new CliError('busy', error.message, 'Choose another with --port, or --port 0 for a free one.', 'port_in_use')
  }
  if (error instanceof WeakControlToken) {
    return usage(error.message, 'Make one with `node -p "crypto.randomUUID()"`, or leave the control API off.')
  }
  if (error instanceof SettingError) return usage(error.message, '`psp settings` lists every setting with its default.')
  if (error instanceof Refusal) return usage(error.message, 'Correct the flag, the seed or psp.config.json.')
  return error
}
