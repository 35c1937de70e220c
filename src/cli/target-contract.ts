// The sandbox a command talks to.
import type { Client } from '../client/client.ts'
import type { Neighbour } from './neighbour.ts'

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

/** Where no server runs: `folder` opens the data folder in this process, `server` starts a whole one, `none` refuses. */
export type TargetWish = 'folder' | 'server' | 'none'
