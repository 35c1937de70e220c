// The context of a running command: its output, configuration and sandbox.

import { type Config, type ConfigSources, resolveConfig } from './config/config.ts'
import type { ConfigValues } from './config/config-keys.ts'
import type { Host } from './host.ts'
import { animates, colourLevel, createPaint } from './output/colour.ts'
import { createOutput, type Output } from './output/output.ts'
import type { Signals } from './process/signals.ts'
import type { DryRun } from './target/dry-run.ts'
import type { Target, TargetWish } from './target/target-contract.ts'

export interface Session {
  readonly out: Output
  readonly config: Config
  /** The merged values: flag, environment, file, default. */
  readonly values: ConfigValues
  readonly host: Host
  readonly signals: Signals
  /** Present with `--dry-run`: nothing is changed. */
  readonly dryRun: DryRun | undefined
  /** Opens the sandbox of the command once; the program closes it. @param wish by default that of the command */
  target(wish?: TargetWish): Promise<Target>
  /** True if the command used the data directory directly, so there is no request log. */
  unserved(): Promise<boolean>
  close(): Promise<void>
}

/** @param wished what the command needs of its target by default */
export async function openSession(
  sources: ConfigSources,
  host: Host,
  signals: Signals,
  dryRun: DryRun | undefined,
  wished: TargetWish,
  open: (session: Session, wish?: TargetWish) => Promise<Target>,
): Promise<Session> {
  const config = resolveConfig(sources)
  const { values } = config
  let target: Promise<Target> | undefined
  const session: Session = {
    out: createOutput({
      stdout: host.stdout,
      stderr: host.stderr,
      json: values.json,
      quiet: values.quiet,
      debug: values.debug,
      animate: animates(host.env, host.stderr.isTTY === true),
      paint: await createPaint(colourLevel(values.color, host.env, host.stdout.isTTY === true)),
      notePaint: await createPaint(colourLevel(values.color, host.env, host.stderr.isTTY === true)),
    }),
    config,
    values,
    host,
    signals,
    dryRun,
    target(wish = wished) {
      target ??= open(session, wish)
      return target
    },
    async unserved() {
      const opened = await target?.catch(() => undefined)
      return opened?.kind === 'embedded'
    },
    async close() {
      const opened = await target?.catch(() => undefined)
      await opened?.close()
    },
  }
  return session
}
