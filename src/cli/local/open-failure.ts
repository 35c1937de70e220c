// Converts an error at the start of a sandbox or server to a CliError with an exit code.

import { RefusalError } from '../../domain/errors.ts'
import { PortUnavailableError } from '../../node/server.ts'
import { WeakControlTokenError } from '../../sandbox.ts'
import { SettingError } from '../../settings.ts'
import { StoreDamagedError, StoreFormatError, StoreLockedError, StoreUnavailableError } from '../../store/errors.ts'
import { CliError, usage } from '../failure.ts'

/** Codes that mean the host, not the port, cannot be used. */
const NO_ADDRESS = ['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL']

/** Returns an unknown error unchanged. */
export function openFailure(error: unknown): unknown {
  if (error instanceof StoreLockedError) {
    const hint =
      error.heartbeatAt !== undefined
        ? 'Stop it there, use its published port with --url, or choose another --data directory.'
        : error.url === undefined
          ? 'Another command is using it, or a server is starting. Try again.'
          : `Use it with --url ${error.url}, stop it with \`kill ${error.pid}\`, or choose another --data directory.`
    return new CliError('busy', error.message, hint, 'folder_locked')
  }
  if (error instanceof StoreDamagedError) {
    const what = error.message.slice(0, -error.remedy.length).trimEnd()
    return new CliError('failed', what, error.remedy, 'folder_damaged')
  }
  if (error instanceof StoreFormatError || error instanceof StoreUnavailableError) {
    return new CliError(
      'failed',
      error.message,
      'Choose another --data directory, or use --ephemeral.',
      'folder_unusable',
    )
  }
  if (error instanceof PortUnavailableError) {
    if (NO_ADDRESS.includes(error.code)) return usage(error.message, 'Give an address of this machine with --host.')
    return new CliError(
      'busy',
      error.message,
      'Choose another port with --port; --port 0 uses any free one.',
      'port_in_use',
    )
  }
  if (error instanceof WeakControlTokenError) {
    return usage(error.message, 'Generate one with `node -p "crypto.randomUUID()"`, or leave the control API off.')
  }
  if (error instanceof SettingError) return usage(error.message, '`psp settings` lists every setting with its default.')
  if (error instanceof RefusalError) return usage(error.message, 'Correct the flag, the seed or psp.config.json.')
  return error
}
