import type { Host } from '../host.ts'

/** What the reader types to call psp again: npx and scripts of npm find it in the project, where no shell looks. */
export function calledAs({ env }: Pick<Host, 'env'>): 'psp' | 'npx psp' {
  return env['npm_command'] === undefined ? 'psp' : 'npx psp'
}
