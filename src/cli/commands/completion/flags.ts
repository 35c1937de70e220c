import { required } from '../../parsing/flags.ts'

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

export const COMPLETION_ARGUMENTS = { shell: required('bash, zsh, fish or powershell', SHELLS) }
