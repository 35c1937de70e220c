// Opens a sandbox in this process with the configuration of the command.
import type { BodyPieces, FetchInit, FetchLike } from '../../client/fetch-like.ts'
import { assembleSandbox, type BeforeStart, type Sandbox, type SandboxOptions } from '../../sandbox.ts'
import { playScenario } from '../../scenarios/lazy-player.ts'
import { StoreLockedError } from '../../store/errors.ts'
import { resolveSettings } from '../config/settings-config.ts'
import type { Session } from '../session.ts'
import { openFailure } from './open-failure.ts'

export function fetchOf(sandbox: Sandbox): FetchLike {
  return (url, { pieces, ...init }) =>
    sandbox.fetch(new Request(url, pieces === undefined ? init : streaming(init, pieces)))
}

/** The fetch standard wants `duplex` for a body that is a stream. */
function streaming(init: FetchInit, pieces: BodyPieces): RequestInit {
  return { ...init, body: ReadableStream.from(pieces), duplex: 'half' } as RequestInit
}

/** Opens a sandbox with the effective settings. @throws CliError if the data directory cannot be used */
export async function openSandbox(session: Session, options: SandboxOptions, opened?: BeforeStart): Promise<Sandbox> {
  const { config, values, out, host } = session
  const { values: settings, origins: settingOrigins } = resolveSettings(config.sources)
  const end = host.systemClock.monotonic() + LOCK_TIMEOUT
  for (;;) {
    try {
      const made: SandboxOptions = {
        systemClock: host.systemClock,
        settings,
        settingOrigins,
        credentials: credentialsOf(session),
        notice: (text) => out.warn(text),
        onInternalError: (error) => void (values.debug && out.failure(error)),
        runScenario: playScenario,
        ...options,
      }
      return await assembleSandbox(made, opened)
    } catch (error) {
      // A lock without a URL is held by a short command or by a server that is starting.
      const passes = error instanceof StoreLockedError && error.url === undefined && host.systemClock.monotonic() < end
      if (!passes) throw openFailure(error)
    }
    await new Promise<void>((done) => void host.systemClock.setTimeout(done, PAUSE))
  }
}

/** ms to wait for a short command that holds the data directory. */
const LOCK_TIMEOUT = 3000
const PAUSE = 40

function credentialsOf({ values }: Session): NonNullable<SandboxOptions['credentials']> {
  return {
    ...(values.api_key === undefined ? {} : { api_key: values.api_key }),
    ...(values.signing_secret === undefined ? {} : { signing_secret: values.signing_secret }),
    ...(values.webhook_secret === undefined ? {} : { webhook_secret: values.webhook_secret }),
  }
}
