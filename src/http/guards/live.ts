// Spec 5.2: live keys work only if the merchant is enabled for live mode.
import { refuse } from '../../domain/errors.ts'
import type { Authentication } from './key.ts'

export function requireLive({ key, merchant }: Authentication): void {
  if (key.mode === 'live' && !merchant.live_enabled) throw refuse('live_not_enabled')
}
