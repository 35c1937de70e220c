// The sandbox a command talks to.
import type { Client } from '../../client/client.ts'

export interface Target {
  readonly kind: 'url' | 'folder' | 'embedded' | 'own server'
  readonly url: string
  readonly client: Client
  /** The same sandbox with other credentials. */
  withKey(apiKey: string): Client
  /** The psp that answers at the default address, where this sandbox is another. */
  readonly neighbour?: Neighbour
  close(): Promise<void>
}

/** Another psp on this machine. */
export interface Neighbour {
  readonly url: string
  /** Both absent where it does not say: other hosts reach it, or it is older. */
  readonly pid?: number
  /** null: in memory only. */
  readonly data?: string | null
}

/**
 * What a command needs if no server runs. `folder`: it changes the data folder, which it opens in this process. `read`: it
 * only reads, so a folder that does not exist and cannot be made counts as empty. `facts`: nothing that it shows depends on
 * the folder. `server`: a whole server in this process. `none`: it refuses.
 */
export type TargetWish = 'folder' | 'read' | 'facts' | 'server' | 'none'
