// The context of a running command: its output, configuration and sandbox.

import type { Client } from '../client/client.ts'
import { type Config, type ConfigSources, resolveConfig } from './config/config.ts'
import type { ConfigValues } from './config/config-keys.ts'
import type { HostProcess } from './host-process.ts'
import { animates, colourLevel, createPaint } from './output/colour.ts'
import { createOutput, type Output } from './output/output.ts'
import type { Signals } from './process/signals.ts'
import type { DryRun } from './target/dry-run.ts'

export interface Session {
  readonly out: Output
  readonly config: Config
  /** The merged values: flag, environment, file, default. */
  readonly values: ConfigValues
  readonly host: HostProcess
  readonly signals: Signals
  /** Present with `--dry-run`. */
  readonly dryRun: DryRun | undefined
  /**
   * Returns the sandbox of the command, and opens it at the first call. `close` closes it.
   * @param fallback for the first call; by default `defaultFallback`
   */
  target(fallback?: TargetFallback): Promise<Target>
  /** Whether the command used an embedded sandbox. It has no server, so there is no request log. */
  isWithoutServer(): Promise<boolean>
  /** Keeps the sandbox open until the work ends, after a signal for at most 2 s. */
  keepOpenFor(work: Promise<unknown>): void
  close(): Promise<void>
}

/** @param defaultFallback the behaviour if no server is running, unless `target` is called with another one */
export async function openSession(
  sources: ConfigSources,
  host: HostProcess,
  signals: Signals,
  dryRun: DryRun | undefined,
  defaultFallback: TargetFallback,
  open: (session: Session, fallback?: TargetFallback) => Promise<Target>,
): Promise<Session> {
  const config = resolveConfig(sources)
  const { values } = config
  let target: Promise<Target> | undefined
  const unfinished = new Set<Promise<unknown>>()
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
    target(fallback = defaultFallback) {
      target ??= open(session, fallback)
      return target
    },
    async isWithoutServer() {
      const opened = await target?.catch(() => undefined)
      return opened?.kind === 'embedded'
    },
    keepOpenFor(work) {
      unfinished.add(work)
      // `close` may handle the rejection too late for Node.
      work.catch(() => {})
    },
    async close() {
      await Promise.allSettled(unfinished)
      const opened = await target?.catch(() => undefined)
      await opened?.close()
    },
  }
  return session
}

export interface Target {
  /**
   * `url`: the server at the given URL. `folder`: the server that uses the data directory. `embedded`: a sandbox in
   * this process, without a server. `own server`: a server that this process has started.
   */
  readonly kind: 'url' | 'folder' | 'embedded' | 'own server'
  readonly url: string
  readonly client: Client
  withKey(apiKey: string): Client
  /** A psp server at the configured address, if this sandbox is a different one. */
  readonly neighbour?: Neighbour
  /** See `Sandbox`. Present for an embedded sandbox. */
  readonly overdueSteps?: number
  close(): Promise<void>
}

/** Another psp server on this machine. */
export interface Neighbour {
  readonly url: string
  /** Absent, like `data`, if other hosts can reach the server, or if it is an older version. */
  readonly pid?: number
  /** null: in memory only. */
  readonly data?: string | null
}

/**
 * The behaviour of a command if no server is running.
 * - `folder`: it opens and changes the data directory in this process.
 * - `read`: it only reads. If there is no data directory, it uses an empty sandbox in memory and creates no directory.
 * - `existing`: like `read`, but it fails if there is no data directory.
 * - `independent`: like `read`, but it also uses memory if the data directory is unusable, because its output does not
 *   depend on it.
 * - `server`: it starts a server in this process.
 * - `none`: it fails.
 */
export type TargetFallback = 'folder' | 'read' | 'existing' | 'independent' | 'server' | 'none'
