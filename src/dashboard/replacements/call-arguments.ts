// Replaces src/client/call-arguments.ts without its checks, because the compiler checks the calls of the dashboard.
import type * as args from '../../client/call-arguments.ts'

export const requireObject: typeof args.requireObject = (_, value) => value
export const optionalObject: typeof args.optionalObject = (_, value) => value
export const requireOptions: typeof args.requireOptions = () => {}
export const oneObject: typeof args.oneObject = <T>(_: string, [value]: readonly unknown[]) => value as T
export const filterOf: typeof args.filterOf = (_, filter) => filter as ReturnType<typeof args.filterOf>
export const pathSegment: typeof args.pathSegment = encodeURIComponent
