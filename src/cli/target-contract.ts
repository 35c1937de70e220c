// The sandbox a command talks to.
import type { Client } from '../client/client.ts'

export interface Target {
  readonly kind: 'url' | 'folder' | 'embedded' | 'own server'
  readonly url: string
  readonly client: Client
  /** The same sandbox with other credentials. */
  withKey(apiKey: string): Client
  close(): Promise<void>
}

/** Where no server runs: `folder` opens the data folder in this process, `server` starts a whole one, `none` refuses. */
export type TargetWish = 'folder' | 'server' | 'none'
