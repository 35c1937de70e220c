// Spec 1, 2.1 and 9: what the interface leaves open in how records are spelled, as settings.
import type { Shop } from './shop.ts'
import { rfc3339, type SandboxTime } from './time.ts'

/** The settings that change how a record looks and nothing else. */
export interface Presentation {
  readonly naming: 'both' | 'shop' | 'terminal'
  readonly empty_dates: 'omit' | 'null' | ''
  readonly time_fraction: 0 | 3 | 6 | 9
}

/** `shop_id` and `shop_name`, `terminal_id` and `terminal_name`, or both pairs. */
export function owner(shop: Shop, look: Presentation): Record<string, string> {
  const named: Record<string, string> = {}
  if (look.naming !== 'terminal') {
    named['shop_id'] = shop.id
    named['shop_name'] = shop.name
  }
  if (look.naming !== 'shop') {
    named['terminal_id'] = shop.id
    named['terminal_name'] = shop.name
  }
  return named
}

/** Writes one time field; an unset one is left out, null or empty. */
export function instant(
  into: Record<string, unknown>,
  field: string,
  time: SandboxTime | undefined,
  look: Presentation,
): void {
  if (time !== undefined) into[field] = rfc3339(time, look.time_fraction)
  else if (look.empty_dates === 'null') into[field] = null
  else if (look.empty_dates === '') into[field] = ''
}
