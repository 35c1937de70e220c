import type { Host } from '../host.ts'

/** Returns how the user runs psp. npx and npm scripts find it in the project, which is not in the PATH of the shell. */
export function invocationName({ env }: Pick<Host, 'env'>): 'psp' | 'npx psp' {
  return env['npm_command'] === undefined ? 'psp' : 'npx psp'
}
