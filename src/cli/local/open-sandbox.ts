import type { BodyPieces, FetchInit, FetchLike } from '../../client/fetch-like.ts'
import { RefusalError } from '../../domain/errors.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { pause } from '../../domain/promises.ts'
import { PortUnavailableError } from '../../node/server.ts'
import {
  assembleSandbox,
  type BeforeStart,
  type Sandbox,
  type SandboxOptions,
  WeakControlTokenError,
} from '../../sandbox.ts'
import { lazyRunInSandbox } from '../../scenarios/lazy-run-in-sandbox.ts'
import { SettingError } from '../../settings.ts'
import {
  PagesNotWrittenError,
  StoreDamagedError,
  StoreFormatError,
  StoreLockedError,
  StoreUnavailableError,
} from '../../store/errors.ts'
import { resolveSettings } from '../config/settings-config.ts'
import { CliError, usageError } from '../failure.ts'
import { invocationName } from '../host-process.ts'
import type { Session } from '../session.ts'

export function fetchOf(sandbox: Sandbox): FetchLike {
  return (url, { pieces, ...init }) =>
    sandbox.fetch(new Request(url, pieces === undefined ? init : streaming(init, pieces)))
}

/** The fetch standard requires `duplex` if the body is a stream. */
function streaming(init: FetchInit, pieces: BodyPieces): RequestInit {
  return { ...init, body: ReadableStream.from(pieces), duplex: 'half' } as RequestInit
}

/**
 * Opens a sandbox with the configured settings. Waits up to 3 s for a short command that uses the data directory.
 * @throws CliError if the data directory cannot be used
 */
export async function openSandbox(
  session: Session,
  options: SandboxOptions,
  beforeStart?: BeforeStart,
): Promise<Sandbox> {
  const { config, values, out, host } = session
  const { values: settings, origins: settingOrigins } = resolveSettings(config.sources)
  const end = host.systemClock.monotonic() + LOCK_TIMEOUT
  for (;;) {
    try {
      const allOptions: SandboxOptions = {
        systemClock: host.systemClock,
        settings,
        settingOrigins,
        pspCommand: invocationName(host),
        credentials: credentialsOf(session),
        notice: (text) => out.warn(text),
        onInternalError: (error) => void (values.debug && out.failure(error)),
        runScenario: lazyRunInSandbox,
        ...options,
      }
      return await assembleSandbox(allOptions, beforeStart)
    } catch (error) {
      // A lock without a URL belongs to a short command, or to a server that is starting.
      const isTemporary =
        error instanceof StoreLockedError && error.url === undefined && host.systemClock.monotonic() < end
      if (!isTemporary) throw openFailure(error)
    }
    await pause(PAUSE, host.systemClock)
  }
}

const LOCK_TIMEOUT = 3000
const PAUSE = 40

function credentialsOf({ values }: Session): NonNullable<SandboxOptions['credentials']> {
  const { api_key, signing_secret, webhook_secret } = values
  return omitUndefined({ api_key, signing_secret, webhook_secret })
}

/** @throws CliError if row pages were not written, or if the data directory was removed, moved or taken over */
export async function closeSandbox(sandbox: Sandbox, grace_ms: number): Promise<void> {
  const failure = await sandbox.close({ grace_ms }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (sandbox.store.lostReason() !== undefined) throw folderLost()
  if (failure?.error instanceof PagesNotWrittenError) throw pagesNotWritten(failure.error)
  if (failure !== undefined) throw failure.error
}

function pagesNotWritten({ message }: PagesNotWrittenError): CliError {
  const hint = 'Fix the cause, then start psp again on this directory: it continues from the journal.'
  return new CliError('failed', message, hint, 'pages_not_written')
}

function folderLost(): CliError {
  return new CliError(
    'failed',
    'The data directory was lost while psp used it (see above). The last changes may be missing.',
    'Restore the directory from a backup, or start psp again and import a saved state with `psp store import`.',
    'folder_lost',
  )
}

/** Error codes if the host cannot be used. The other codes are about the port. */
const NO_ADDRESS = ['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL']

/** Converts an error at the start of a sandbox or server to a CliError. Returns an unknown error unchanged. */
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
      'Choose another directory with --data. If the disk is full, copy the directory to another disk and use the copy.',
      'folder_unusable',
    )
  }
  if (error instanceof PortUnavailableError) {
    if (NO_ADDRESS.includes(error.code))
      return usageError(error.message, 'Give an address of this machine with --host.')
    return new CliError(
      'busy',
      error.message,
      'Choose another port with --port; --port 0 uses any free one.',
      'port_in_use',
    )
  }
  if (error instanceof WeakControlTokenError) {
    return usageError(error.message, 'Generate one with `openssl rand -hex 16`, or leave the control API off.')
  }
  if (error instanceof SettingError)
    return usageError(error.message, '`psp settings` lists every setting with its default.')
  if (error instanceof RefusalError) return usageError(error.message, 'Correct the flag, the seed or psp.config.json.')
  return error
}
