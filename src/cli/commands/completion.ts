import { command } from '../command.ts'
import { required } from '../parsing/flags.ts'

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

export const COMPLETION_ARGUMENTS = { shell: required('bash, zsh, fish or powershell', SHELLS) }

export const completion = command({
  description: 'Print the completion script for a shell.',
  args: COMPLETION_ARGUMENTS,
  examples: [
    ['source <(psp completion bash)', 'Load the completion for bash; put this line into ~/.bashrc'],
    ['psp completion zsh > ~/.zfunc/_psp', 'Install the completion for zsh'],
    ['psp completion fish > ~/.config/fish/completions/psp.fish', 'Install the completion for fish'],
  ],
})
