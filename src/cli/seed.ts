import type { SandboxOptions } from '../sandbox.ts'

export function readSeed(_folder: string, _path: string): NonNullable<SandboxOptions['seed']> {
  return () => {}
}
