// The sandbox that a command uses.
import type { Client } from '../../client/client.ts'

export interface Target {
  readonly kind: 'url' | 'folder' | 'embedded' | 'own server'
  readonly url: string
  readonly client: Client
  /** The same sandbox with other credentials. */
  withKey(apiKey: string): Client
  /** The psp server at the default address, if this sandbox is a different one. */
  readonly neighbour?: Neighbour
  close(): Promise<void>
}

/** Another psp on this machine. */
export interface Neighbour {
  readonly url: string
  /** Absent, like `data`, if the server does not report it: other hosts can reach it, or it is an older version. */
  readonly pid?: number
  /** null: in memory only. */
  readonly data?: string | null
}

/**
 * The needs of a command if no server is running. `folder`: it opens and changes the data directory in this process. `read`: it only
 * reads, so a directory that does not exist and cannot be created counts as empty. `facts`: its output does not depend on
 * the data directory. `server`: it starts a server in this process. `none`: it fails.
 */
export type TargetWish = 'folder' | 'read' | 'facts' | 'server' | 'none'
