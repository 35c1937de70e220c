import { required } from '../../flags.ts'

export const COMPLETION_ARGUMENTS = { shell: required('bash, zsh, fish or powershell') }
