// Replaces src/domain/typed-address.ts. The base URL comes from the page, so no user typed it.
import type * as addresses from '../../domain/typed-address.ts'

export const requireAddress: typeof addresses.requireAddress = String
