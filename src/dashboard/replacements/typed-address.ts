// Replaces src/domain/typed-address.ts. The address of a page is not typed.
import type * as addresses from '../../domain/typed-address.ts'

export const requireAddress: typeof addresses.requireAddress = String
